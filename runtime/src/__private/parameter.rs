//! One parameter of an annotated function: described, and read, by its type.

use serde::Serialize;

use crate::args::ArgsReader;
use crate::tool::{ParamSpec, ToolParameter};

type ReadOr<T> = fn(&mut ArgsReader<'_>, &'static str, fn() -> T) -> Option<T>;

/// How a parameter of the type `T` is described and read.
pub struct Parameter<T> {
    name: &'static str,
    spec: fn(&'static str) -> ParamSpec,
    read: fn(&mut ArgsReader<'_>, &'static str) -> Option<T>,
    read_or: ReadOr<T>,
}

/// The one place where a parameter's type has to be one: a type that is none has one error, however often it is used.
pub fn parameter<T: ToolParameter>(name: &'static str) -> Parameter<T> {
    Parameter {
        name,
        spec: ParamSpec::new::<T>,
        read: |reader, name| reader.get(name),
        read_or: |reader, name, default| reader.get_or(name, default),
    }
}

impl<T> Parameter<T> {
    /// What is known of it by its type.
    pub fn spec(self) -> ParamSpec {
        (self.spec)(self.name)
    }

    /// Reads it; `None` after a fault, which the reader keeps.
    pub fn read(self, reader: &mut ArgsReader<'_>) -> Option<T> {
        (self.read)(reader, self.name)
    }

    /// Reads it; if it is absent, it is what `default` gives.
    pub fn read_or(self, reader: &mut ArgsReader<'_>, default: fn() -> T) -> Option<T> {
        (self.read_or)(reader, self.name, default)
    }
}

/// A default value. Method lookup finds out whether it can be shown: an inherent method comes before a trait's.
#[expect(clippy::exhaustive_structs, reason = "the macros make it")]
pub struct DefaultValue<'a, T>(pub &'a T);

impl<T: Serialize> DefaultValue<'_, T> {
    /// Shows the value to the model.
    pub fn on(self, spec: ParamSpec) -> ParamSpec {
        spec.default(self.0)
    }
}

/// Default values that are no JSON.
pub trait HiddenDefault {
    /// Says only that the parameter may be left out.
    fn on(self, spec: ParamSpec) -> ParamSpec;
}

impl<T> HiddenDefault for DefaultValue<'_, T> {
    fn on(self, spec: ParamSpec) -> ParamSpec {
        spec.optional()
    }
}
