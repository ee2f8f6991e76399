//! How a model is to answer.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value};

/// Which tools the model may, must or must not call.
///
/// Specification: "Tool Choice". Set for a whole run, [`Required`](Self::Required) and a list without an output tool are
/// refused, as the run could never end; a setting given per step may force.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// No function tools; output tools stay.
    None,
    /// The model must call a function tool.
    Required,
    /// The model must call one of these tools, function or output.
    Tools(Vec<String>),
    /// Of the function tools only these, and all output tools; text as ever.
    ToolOrOutput(Vec<String>),
}

impl ToolChoice {
    /// The model must call one of these tools.
    pub fn tools<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::Tools(names.into_iter().map(Into::into).collect())
    }

    /// Of the function tools only these, and all output tools.
    pub fn tool_or_output<N: Into<String>>(function_tools: impl IntoIterator<Item = N>) -> Self {
        Self::ToolOrOutput(function_tools.into_iter().map(Into::into).collect())
    }
}

/// How much a model is to think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Thinking {
    /// Not at all, where the model can do that.
    Off,
    /// As the provider thinks fit.
    On,
    /// Hardly.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
}

/// How a model is to answer. What is not set is left to the provider.
///
/// Settings are merged, later over earlier: the model's own, the agent's, the step's, the run's.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelSettings {
    /// Which tools the model may, must or must not call.
    pub tool_choice: Option<ToolChoice>,
    /// Whether a response may hold several calls; `false` also runs the calls one after another.
    pub parallel_tool_calls: Option<bool>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u64>,
    /// How freely the model chooses its words; 0 is least, and how much is most is the provider's to say.
    pub temperature: Option<f64>,
    /// The share of likely words it chooses from, of 1.
    pub top_p: Option<f64>,
    /// Texts at which the model stops.
    pub stop_sequences: Option<Vec<String>>,
    /// Makes answers repeatable, where the provider can.
    pub seed: Option<i64>,
    /// How much to think first.
    pub thinking: Option<Thinking>,
    /// How much words already there are avoided.
    pub presence_penalty: Option<f64>,
    /// How much frequent words are avoided.
    pub frequency_penalty: Option<f64>,
    /// How long the whole request may take, with all attempts and the waits between them; ten minutes unless set.
    pub timeout: Option<Duration>,
    /// How often a request that failed for a passing reason is sent again; twice unless set.
    pub max_retries: Option<u32>,
    /// Headers that are sent with the request. `Debug` shows their names alone, as the values may be keys.
    pub extra_headers: Option<Vec<(String, String)>>,
    /// Keys that are added to the request's body, over what the library puts there.
    pub extra_body: Option<Map<String, Value>>,
}

macro_rules! setters {
    ($($(#[$meta:meta])* $field:ident: $type:ty;)*) => {
        impl ModelSettings {
            /// Nothing set.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            $(
                $(#[$meta])*
                #[must_use]
                pub fn $field(mut self, $field: $type) -> Self {
                    self.$field = Some($field);
                    self
                }
            )*
        }
    };
}

setters! {
    /// Sets which tools the model may, must or must not call.
    tool_choice: ToolChoice;
    /// Sets whether a response may hold several calls.
    parallel_tool_calls: bool;
    /// Sets the most tokens of an answer.
    max_tokens: u64;
    /// Sets how freely the model chooses its words.
    temperature: f64;
    /// Sets the share of likely words the model chooses from.
    top_p: f64;
    /// Sets the texts at which the model stops.
    stop_sequences: Vec<String>;
    /// Sets what makes answers repeatable.
    seed: i64;
    /// Sets how much to think first.
    thinking: Thinking;
    /// Sets how much words already there are avoided.
    presence_penalty: f64;
    /// Sets how much frequent words are avoided.
    frequency_penalty: f64;
    /// Sets how long the whole request may take.
    timeout: Duration;
    /// Sets how often a request that failed for a passing reason is sent again.
    max_retries: u32;
    /// Sets headers that are sent with the request.
    extra_headers: Vec<(String, String)>;
    /// Sets keys that are added to the request's body.
    extra_body: Map<String, Value>;
}

impl ModelSettings {
    /// These settings, with what `over` sets in place of them.
    #[must_use]
    pub fn merged(&self, over: &Self) -> Self {
        macro_rules! pick {
            ($($field:ident)*) => {
                Self { $($field: over.$field.clone().or_else(|| self.$field.clone()),)* }
            };
        }
        pick! {
            tool_choice parallel_tool_calls max_tokens temperature top_p stop_sequences seed thinking presence_penalty
            frequency_penalty timeout max_retries extra_headers extra_body
        }
    }
}

impl fmt::Debug for ModelSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names every field, so that a new one cannot be forgotten.
        macro_rules! show {
            ($($field:ident)*; $($name:ident: $shown:expr),*) => {{
                let Self { $($field,)* $($name: _,)* } = self;
                let mut debug = f.debug_struct("ModelSettings");
                $(debug.field(stringify!($field), $field);)*
                $(debug.field(stringify!($name), &$shown);)*
                debug.finish()
            }};
        }
        let headers = self.extra_headers.as_ref();
        let header_names = headers.map(|headers| headers.iter().map(|(name, _)| name).collect::<Vec<_>>());
        show! {
            tool_choice parallel_tool_calls max_tokens temperature top_p stop_sequences seed thinking presence_penalty
            frequency_penalty timeout max_retries extra_body;
            extra_headers: header_names
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_headers_are_not_shown() {
        let headers = vec![("x-gateway-key".to_owned(), "very-secret".to_owned())];
        let shown = format!("{:?}", ModelSettings::new().seed(7).extra_headers(headers));
        assert!(
            shown.contains("seed: Some(7)") && shown.contains(r#"extra_headers: Some(["x-gateway-key"])"#),
            "{shown}"
        );
        assert!(!shown.contains("very-secret"), "{shown}");
    }
}
