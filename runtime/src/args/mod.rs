//! Reading a call's arguments: each parameter by its own type, straight from the text the model wrote.

mod duplicates;
mod error;
mod fault;
mod lenient;
mod nothing;
mod reader;
mod scalar;
mod wording;

pub use error::{ArgError, ArgsError, LocItem};
pub(crate) use nothing::from_nothing;
pub use reader::ArgsReader;
pub(crate) use reader::{ReadOptions, read_object};
