//! What tools and validators of a case do when they are called.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright::error::BoxError;
use toolwright::message::Metadata;
use toolwright::tool::ToolOutput;
use toolwright::{ApprovalRequired, CallDeferred, ModelRetry, RunContext, ToolFailed, ToolReturn};

use super::conditions::{Condition, Subject, present};
use super::files::{Given, prompt};
use super::tools::{Stage, ToolSpec};

/// One outcome: first the waiting, the rules and the adding, then how the call ends.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Outcome {
    sleep_ms: u64,
    rules: Vec<Rule>,
    add_tool: Option<Box<ToolSpec>>,
    #[serde(deserialize_with = "present")]
    r#return: Option<Value>,
    echo: bool,
    deps: bool,
    retry_count: bool,
    retry: Option<String>,
    failed: Option<String>,
    error: Option<String>,
    approval: Option<Metadata>,
    defer: Option<Metadata>,
    tool_return: Option<ReturnSpec>,
    cancel: bool,
}

/// An outcome that applies when its condition holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    when: Condition,
    then: Outcome,
}

/// A result with more than a value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReturnSpec {
    #[serde(default)]
    return_value: Value,
    content: Option<Value>,
    metadata: Option<Metadata>,
    #[serde(default)]
    tools: Vec<String>,
}

/// The outcome of the first rule that holds.
pub(crate) fn first<'a>(rules: &'a [Rule], subject: Subject<'_>) -> Option<&'a Outcome> {
    rules.iter().find(|rule| rule.when.holds(subject)).map(|rule| &rule.then)
}

impl Outcome {
    pub(crate) fn echo() -> Self {
        Self { echo: true, ..Self::default() }
    }

    /// The outcome, and those that its rules put in its place, the last of which decides.
    pub(crate) fn with_rules<'a>(&'a self, subject: Subject<'_>) -> Vec<&'a Self> {
        let mut chain = vec![self];
        let mut last = self;
        while let Some(next) = first(&last.rules, subject) {
            chain.push(next);
            last = next;
        }
        chain
    }

    pub(crate) fn sleep_ms(&self) -> u64 {
        self.sleep_ms
    }

    /// What comes before the end of the call.
    pub(crate) async fn begin(&self, stage: &Stage) -> Result<(), BoxError> {
        if self.sleep_ms > 0 {
            tokio::time::sleep(Duration::from_millis(self.sleep_ms)).await;
        }
        if let Some(spec) = &self.add_tool {
            stage.add_late(spec)?;
        }
        Ok(())
    }

    /// How the call ends.
    pub(crate) async fn end(&self, ctx: &RunContext<Value>, args: Map<String, Value>) -> Result<ToolReturn, BoxError> {
        if self.cancel {
            ctx.cancel();
            // The run stops a call that waits.
            std::future::pending::<()>().await;
        }
        self.refuse()?;
        let value = if self.echo {
            Value::Object(args)
        } else if self.deps {
            ctx.deps().clone()
        } else if self.retry_count {
            json!({"retry": ctx.retry(), "max_retries": ctx.max_retries()})
        } else if let Some(spec) = &self.tool_return {
            return spec.to_return();
        } else {
            self.r#return.clone().ok_or("needs an outcome that is not known here")?
        };
        Ok(ToolReturn::new(Given::new(&value)?.to_content()?))
    }

    /// The error that the outcome is; validators have no other outcomes.
    pub(crate) fn refuse(&self) -> Result<(), BoxError> {
        if let Some(message) = &self.retry {
            return Err(ModelRetry::new(message).into());
        }
        if let Some(message) = &self.failed {
            return Err(ToolFailed::new(message).into());
        }
        if let Some(message) = &self.error {
            return Err(message.clone().into());
        }
        if let Some(metadata) = &self.approval {
            let plain = metadata.is_empty();
            return Err(if plain {
                ApprovalRequired::new()
            } else {
                ApprovalRequired::with_metadata(metadata.clone())
            }
            .into());
        }
        if let Some(metadata) = &self.defer {
            let plain = metadata.is_empty();
            return Err(if plain { CallDeferred::new() } else { CallDeferred::with_metadata(metadata.clone()) }.into());
        }
        Ok(())
    }
}

impl ReturnSpec {
    pub(crate) fn to_return(&self) -> Result<ToolReturn, BoxError> {
        let mut result =
            ToolReturn::new(Given::new(&self.return_value)?.to_content()?).reveal(self.tools.iter().cloned());
        if let Some(content) = &self.content {
            result = result.content(prompt(content)?);
        }
        if let Some(metadata) = &self.metadata {
            result = result.metadata(metadata.clone());
        }
        Ok(result)
    }
}
