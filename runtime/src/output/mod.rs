//! What a run comes to: text, the arguments of an output tool, or a value that the model writes as its text.

mod context;
mod format;
mod function;
mod made;
mod spec;
mod tool;
mod validator;

pub use self::context::{FromContext, JoinContext, NoContext};
pub(crate) use self::format::json_in;
pub use self::format::{OutputFormat, OutputMode};
pub use self::function::OutputFunction;
pub(crate) use self::made::Made;
pub use self::spec::OutputSpec;
pub use self::tool::OutputTool;
pub(crate) use self::validator::{BoxedOutputValidator, boxed_output_validator, of_done};
pub use self::validator::{OutputValidator, ValidatedOutput};
