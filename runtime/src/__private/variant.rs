//! Variants of an enum that derives `AgentOutput`: each is an output tool, the model's text, or a file.

use crate::args::ArgsReader;
use crate::message::BinaryContent;
use crate::output::{OutputSpec, OutputTool, OutputValue};
use crate::tool::ToolSpec;

/// An output to which variants are added.
pub fn no_output<O: Send + 'static>() -> OutputSpec<O> {
    OutputSpec::nothing()
}

/// A variant that holds a value.
pub fn value<T: OutputValue, O: Send + 'static>(variant: &str, wrap: fn(T) -> O) -> OutputTool<O> {
    OutputTool::<T>::new().wrapped(wrap).of_variant(variant)
}

/// A variant with fields of its own.
pub fn fields<O: Send + 'static>(
    variant: &str,
    spec: ToolSpec<()>,
    read: fn(&mut ArgsReader<'_>) -> Option<O>,
) -> OutputTool<O> {
    OutputTool::of_fields(variant, &spec, read)
}

/// What can hold the model's text.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot hold the model's text",
    label = "take a `String`, or what is `From<String>`"
)]
pub trait HoldsText: From<String> + 'static {}

#[diagnostic::do_not_recommend]
impl<T: From<String> + 'static> HoldsText for T {}

/// A variant that holds the model's text.
pub fn text<T: HoldsText, O: 'static>(wrap: fn(T) -> O) -> Box<dyn Fn(String) -> O + Send + Sync> {
    Box::new(move |text| wrap(text.into()))
}

/// What can hold a file that the model makes.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot hold a file that the model makes",
    label = "take a `BinaryContent`, or what is `From<BinaryContent>`"
)]
pub trait HoldsFile: From<BinaryContent> + 'static {}

#[diagnostic::do_not_recommend]
impl<T: From<BinaryContent> + 'static> HoldsFile for T {}

/// A variant that holds a file that the model makes.
pub fn file<T: HoldsFile, O: 'static>(wrap: fn(T) -> O) -> Box<dyn Fn(BinaryContent) -> O + Send + Sync> {
    Box::new(move |file| wrap(file.into()))
}
