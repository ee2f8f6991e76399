//! Traces without the feature: nothing.

use std::marker::PhantomData;

use crate::error::{Error, Result};
use crate::message::{Arguments, History, Metadata, ModelResponse, ToolCallPart, ToolReturnPart};
use crate::model::{Model, ModelInput};

#[derive(Clone, Copy, Default)]
pub(crate) struct ContentSwitch(());

impl ContentSwitch {
    pub(crate) fn merged(self, _: Self) -> Self {
        self
    }
}

pub(crate) struct Trace;

impl Trace {
    pub(crate) fn new(_: Option<&str>, _: &str, _: &History, _: ContentSwitch) -> Self {
        Self
    }

    pub(crate) fn run(&self, _: &impl Model) -> RunSpan {
        RunSpan
    }

    pub(crate) fn chat(&self, _: &impl Model, _: &ModelInput, _: bool) -> ChatSpan {
        ChatSpan
    }

    pub(crate) fn call(&self, _: &ToolCallPart, _: &Arguments) -> CallSpan {
        CallSpan
    }

    pub(crate) fn invalid_call(&self, _: &ToolCallPart, _: &Arguments) -> CallSpan {
        CallSpan
    }

    pub(crate) fn output<'a>(&self, _: &'a ToolCallPart) -> OutputSpan<'a> {
        OutputSpan(PhantomData)
    }
}

pub(crate) struct RunSpan;

impl RunSpan {
    pub(crate) fn around<F>(&self, work: F) -> F {
        work
    }

    pub(crate) fn end(self, _: Option<&Error>) {}
}

pub(crate) struct ChatSpan;

impl ChatSpan {
    pub(crate) fn around<F>(&self, work: F) -> F {
        work
    }

    pub(crate) fn end(self, _: &Result<ModelResponse>) {}
}

pub(crate) struct CallSpan;

impl CallSpan {
    pub(crate) const fn none() -> Self {
        Self
    }

    pub(crate) fn around<F>(&self, work: F) -> F {
        work
    }

    pub(crate) fn timed_out(&mut self) {}

    pub(crate) fn answered(self, _: &ToolReturnPart) {}

    pub(crate) fn deferred(self, _: bool, _: Option<&Metadata>) {}

    pub(crate) fn failed(self, _: &Error) {}
}

pub(crate) struct OutputSpan<'a>(PhantomData<&'a ToolCallPart>);

impl OutputSpan<'_> {
    pub(crate) fn around<F>(&mut self, work: F) -> F {
        work
    }

    pub(crate) fn succeeded(self) {}

    pub(crate) fn retried(self, _: &ToolReturnPart) {}

    pub(crate) fn failed(self, _: &Error) {}
}

pub(crate) fn on_thread<T>(job: impl FnOnce() -> T + Send) -> impl FnOnce() -> T + Send {
    job
}
