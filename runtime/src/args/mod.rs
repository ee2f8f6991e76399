//! Reading a call's arguments: each parameter by its own type, straight from the text the model wrote.

mod error;
mod reader;

pub use error::{ArgError, ArgsError, LocItem};
pub use reader::ArgsReader;
pub(crate) use reader::{ReadOptions, from_nothing, read_object};
