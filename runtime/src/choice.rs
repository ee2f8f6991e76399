//! What a [`ToolChoice`] comes to for one request (specification: "Tool Choice", behaviours 12, decisions 5 and 15).
//!
//! *Text* says whether plain text, or a file that the model makes, can be the run's output; *outputs* stands for all output tools.
//!
//! | setting | outputs | text | resolved |
//! |---|---|---|---|
//! | unset, `Auto` | | yes / no | auto / required |
//! | `None`, `Tools([])` | none | | none |
//! | | some | yes | auto, outputs |
//! | | some | no | required, outputs (all tools are outputs: required) |
//! | `Required` | none | | required |
//! | | some | | required, all function tools |
//! | `Tools(names)` | | | required, those (all tools: required) |
//! | `ToolOrOutput([])` | none | | none |
//! | | some | yes / no | auto / required, outputs |
//! | `ToolOrOutput(names)` | | yes / no | auto / required, those and outputs (all tools: bare) |
//!
//! A name that no tool has is ignored while another one is left; tools that are hidden in this request cannot be chosen.

#![cfg_attr(not(feature = "full"), allow(dead_code, reason = "no provider needs all that they share"))]

use std::collections::HashSet;

use crate::error::{Error, Result};
use crate::model::{ModelInput, ToolChoice};
use crate::tool::ToolDefinition;
use crate::wording::listed;

/// What a provider is told about calling tools.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResolvedChoice<'a> {
    pub(crate) mode: ChoiceMode,
    /// The only tools that may be called, function tools first, each in the request's order; `None` for all.
    pub(crate) names: Option<Vec<&'a str>>,
    /// Whether the caller asked for a forced call in so many words; else a model that cannot be forced is just asked.
    pub(crate) forced: bool,
    /// Names that no tool has.
    pub(crate) ignored: Vec<String>,
}

/// Whether the model calls tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceMode {
    /// It must not.
    None,
    /// It may.
    Auto,
    /// It must.
    Required,
}

/// The tools of one request, as far as a choice can name them.
pub(crate) struct Choices<'a> {
    pub(crate) function_tools: &'a [ToolDefinition],
    /// Function tools that are sent though the model has not found them yet: the provider keeps them from it.
    pub(crate) deferred: Vec<&'a ToolDefinition>,
    pub(crate) output_tools: &'a [ToolDefinition],
    /// Function tools that exist but are not sent: the model has not found them yet.
    pub(crate) hidden: Vec<&'a ToolDefinition>,
    pub(crate) allow_text: bool,
}

impl<'a> Choices<'a> {
    /// Those of a request.
    pub(crate) fn of(input: &'a ModelInput) -> Self {
        Self {
            function_tools: &input.function_tools,
            deferred: Vec::new(),
            output_tools: &input.output_tools,
            hidden: input.hidden_tools.iter().collect(),
            allow_text: input.allow_text || input.allow_files,
        }
    }

    /// The function tools that are sent.
    fn functions(&self) -> impl Iterator<Item = &'a str> + use<'a, '_> {
        names_of(self.function_tools).chain(self.deferred.iter().map(|tool| tool.name()))
    }

    /// Resolves `choice`.
    ///
    /// # Errors
    ///
    /// Misuse, when no chosen tool exists or all chosen ones are hidden.
    pub(crate) fn resolve(&self, choice: Option<&ToolChoice>) -> Result<ResolvedChoice<'a>> {
        let open = if self.allow_text { ChoiceMode::Auto } else { ChoiceMode::Required };
        match choice {
            None | Some(ToolChoice::Auto) => Ok(ResolvedChoice::bare(open)),
            Some(ToolChoice::None) => Ok(self.no_function_tools(open)),
            Some(ToolChoice::Tools(names)) if names.is_empty() => Ok(self.no_function_tools(open)),
            Some(ToolChoice::Required) => self.required(),
            Some(ToolChoice::Tools(names)) => self.one_of(names),
            Some(ToolChoice::ToolOrOutput(names)) => self.function_tools_or_output(names, open),
        }
    }

    fn no_function_tools(&self, open: ChoiceMode) -> ResolvedChoice<'a> {
        match open {
            _ if self.output_tools.is_empty() => ResolvedChoice::bare(ChoiceMode::None),
            ChoiceMode::Required if self.functions().next().is_none() && self.hidden.is_empty() => {
                ResolvedChoice::bare(open)
            }
            _ => ResolvedChoice::among(open, names_of(self.output_tools).collect()),
        }
    }

    fn required(&self) -> Result<ResolvedChoice<'a>> {
        if self.functions().next().is_none() {
            return Err(Error::misuse(match self.hidden.as_slice() {
                [] => {
                    "tool_choice is `Required`, but there are no function tools in this step; register one, or choose \
                       `Auto` or `None`"
                        .to_owned()
                }
                hidden => format!(
                    "tool_choice is `Required`, but every function tool is still hidden: {}; the model must find them \
                     first, so choose `Auto`",
                    listed(hidden.iter().map(|tool| tool.name()))
                ),
            }));
        }
        let required = match self.output_tools {
            [] => ResolvedChoice::bare(ChoiceMode::Required),
            _ => ResolvedChoice::among(ChoiceMode::Required, self.functions().collect()),
        };
        Ok(ResolvedChoice { forced: true, ..required })
    }

    fn one_of(&self, wanted: &[String]) -> Result<ResolvedChoice<'a>> {
        let known = || self.functions().chain(names_of(self.output_tools));
        let ignored = self.unknown(wanted, self.output_tools, "tools")?;
        let chosen: Vec<_> = known().filter(|name| contains(wanted, name)).collect();
        if chosen.is_empty() {
            return Err(hidden_only(wanted));
        }
        let everything = self.hidden.is_empty() && known().all(|name| contains(wanted, name));
        let resolved = ResolvedChoice::of(ChoiceMode::Required, chosen, everything);
        Ok(ResolvedChoice { forced: true, ignored, ..resolved })
    }

    fn function_tools_or_output(&self, wanted: &[String], open: ChoiceMode) -> Result<ResolvedChoice<'a>> {
        if wanted.is_empty() {
            return Ok(match self.output_tools {
                [] => ResolvedChoice::bare(ChoiceMode::None),
                outputs => ResolvedChoice::among(open, names_of(outputs).collect()),
            });
        }
        let ignored = self.unknown(wanted, &[], "function tools")?;
        let functions = || self.functions();
        let chosen: Vec<_> =
            functions().filter(|name| contains(wanted, name)).chain(names_of(self.output_tools)).collect();
        if chosen.is_empty() {
            return Err(hidden_only(wanted));
        }
        let everything = self.hidden.is_empty() && functions().all(|name| contains(wanted, name));
        Ok(ResolvedChoice { ignored, ..ResolvedChoice::of(open, chosen, everything) })
    }

    /// The names that no tool has; an error if that is all of them.
    fn unknown(&self, wanted: &[String], outputs: &[ToolDefinition], what: &str) -> Result<Vec<String>> {
        let hidden = self.hidden.iter().map(|tool| tool.name());
        let known: Vec<&str> = self.functions().chain(names_of(outputs)).chain(hidden).collect();
        let unknown: Vec<_> = wanted.iter().filter(|name| !known.contains(&name.as_str())).cloned().collect();
        if unknown.len() < wanted.len() {
            return Ok(unknown);
        }
        Err(Error::misuse(format!(
            "tool_choice names no tool of this step: {}; its {what} are: {}",
            listed(wanted.iter().map(String::as_str)),
            listed(known),
        )))
    }
}

impl<'a> ResolvedChoice<'a> {
    /// The names of the tools that may be called; `None` for all.
    pub(crate) fn callable(&self) -> Option<HashSet<&'a str>> {
        match self.mode {
            ChoiceMode::None => Some(HashSet::new()),
            ChoiceMode::Auto | ChoiceMode::Required => Some(self.names.as_ref()?.iter().copied().collect()),
        }
    }

    /// The choice for a model that cannot be made to call a tool: it is asked to, unless the caller demanded more.
    ///
    /// # Errors
    ///
    /// Misuse, when the caller did; `why` says what cannot be.
    pub(crate) fn unforced(self, why: impl FnOnce() -> String) -> Result<Self> {
        match self.mode {
            ChoiceMode::Required if self.forced => Err(Error::misuse(format!("{}; choose `ToolChoice::Auto`", why()))),
            ChoiceMode::Required => Ok(Self { mode: ChoiceMode::Auto, ..self }),
            ChoiceMode::None | ChoiceMode::Auto => Ok(self),
        }
    }

    /// What of the choice could not be followed, for the step's report.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.ignored.iter().map(|name| format!("tool_choice names `{name}`, which no tool of this step has"))
    }

    /// The one tool that must be called, if there is but one.
    pub(crate) fn single(&self) -> Option<&'a str> {
        match self.names.as_deref() {
            Some([name]) if self.mode == ChoiceMode::Required => Some(name),
            _ => None,
        }
    }

    fn bare(mode: ChoiceMode) -> Self {
        Self { mode, names: None, forced: false, ignored: Vec::new() }
    }

    fn among(mode: ChoiceMode, names: Vec<&'a str>) -> Self {
        Self { names: Some(names), ..Self::bare(mode) }
    }

    fn of(mode: ChoiceMode, names: Vec<&'a str>, everything: bool) -> Self {
        if everything { Self::bare(mode) } else { Self::among(mode, names) }
    }
}

/// Refuses a choice that, set for a whole run, would force a call of a function tool in every step: the run would never
/// end. A setting given per step may do that.
///
/// # Errors
///
/// Misuse, naming the tools and the way out.
pub(crate) fn check_static(choice: Option<&ToolChoice>, output_tools: &[ToolDefinition]) -> Result<()> {
    let problem = match choice {
        Some(ToolChoice::Required) => "`Required` forces a call of a function tool".to_owned(),
        Some(ToolChoice::Tools(names)) if names.is_empty() => {
            return Err(Error::misuse(
                "tool_choice for a whole run is an empty list; choose `ToolChoice::None` to switch function tools off",
            ));
        }
        Some(ToolChoice::Tools(names)) if !names_of(output_tools).any(|name| contains(names, name)) => {
            format!(
                "{} names no output tool, so a function tool would be called",
                listed(names.iter().map(String::as_str))
            )
        }
        _ => return Ok(()),
    };
    Err(Error::misuse(format!(
        "tool_choice for a whole run: {problem} in every step, and the run could never end; set it per step, name an output \
         tool too, or use `ToolChoice::tool_or_output`"
    )))
}

fn names_of(tools: &[ToolDefinition]) -> impl Iterator<Item = &str> {
    tools.iter().map(ToolDefinition::name)
}

fn contains(names: &[String], name: &str) -> bool {
    names.iter().any(|wanted| wanted == name)
}

fn hidden_only(wanted: &[String]) -> Error {
    Error::misuse(format!(
        "every tool that tool_choice names is still hidden: {}; the model must find a tool before it can be forced",
        listed(wanted.iter().map(String::as_str))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ToolChoice as T;

    fn tools(names: &str) -> Vec<ToolDefinition> {
        names.split_whitespace().map(ToolDefinition::new).collect()
    }

    /// Resolves in words: `auto`, `required a b`, `error`.
    fn resolved(functions: &str, outputs: &str, hidden: &str, allow_text: bool, choice: Option<ToolChoice>) -> String {
        let (functions, outputs, hidden) = (tools(functions), tools(outputs), tools(hidden));
        let choices = Choices {
            function_tools: &functions,
            deferred: Vec::new(),
            output_tools: &outputs,
            hidden: hidden.iter().collect(),
            allow_text,
        };
        match choices.resolve(choice.as_ref()) {
            Ok(resolved) => {
                let mode = format!("{:?}", resolved.mode).to_lowercase();
                let names = resolved.names.map(|names| format!(" {}", names.join(" "))).unwrap_or_default();
                format!("{mode}{names}")
            }
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn the_table_holds() {
        let table = [
            // No output tools: text is the output.
            ("a b", "", true, None, "auto"),
            ("a b", "", true, Some(T::Auto), "auto"),
            ("a b", "", true, Some(T::None), "none"),
            ("a b", "", true, Some(T::Tools(vec![])), "none"),
            ("a b", "", true, Some(T::Required), "required"),
            ("a b", "", true, Some(T::tools(["a"])), "required a"),
            ("a b", "", true, Some(T::tools(["b", "a", "a"])), "required"),
            ("a b c", "", true, Some(T::tools(["c", "a"])), "required a c"),
            ("a b", "", true, Some(T::ToolOrOutput(vec![])), "none"),
            ("a b", "", true, Some(T::tool_or_output(["a"])), "auto a"),
            ("a b", "", true, Some(T::tool_or_output(["a", "b"])), "auto"),
            // Output tools only.
            ("a b", "o p", false, None, "required"),
            ("a b", "o p", false, Some(T::None), "required o p"),
            ("a b", "o p", false, Some(T::Tools(vec![])), "required o p"),
            ("", "o p", false, Some(T::None), "required"),
            ("a b", "o p", false, Some(T::Required), "required a b"),
            ("a b", "o p", false, Some(T::tools(["p"])), "required p"),
            ("a b", "o p", false, Some(T::tools(["p", "a"])), "required a p"),
            ("a b", "o p", false, Some(T::tools(["a", "b", "o", "p"])), "required"),
            ("a b", "o p", false, Some(T::ToolOrOutput(vec![])), "required o p"),
            ("a b", "o p", false, Some(T::tool_or_output(["b"])), "required b o p"),
            ("a b", "o p", false, Some(T::tool_or_output(["a", "b"])), "required"),
            // Both.
            ("a b", "o", true, None, "auto"),
            ("a b", "o", true, Some(T::None), "auto o"),
            ("", "o", true, Some(T::None), "auto o"),
            ("a b", "o", true, Some(T::Required), "required a b"),
            ("a b", "o", true, Some(T::tools(["a"])), "required a"),
            ("a b", "o", true, Some(T::tool_or_output(["a"])), "auto a o"),
            ("a b", "o", true, Some(T::tool_or_output(["a", "b"])), "auto"),
            ("a b", "o", true, Some(T::ToolOrOutput(vec![])), "auto o"),
            // Unknown names are as if they had not been there.
            ("a b", "", true, Some(T::tools(["a", "zz"])), "required a"),
            ("a b", "", true, Some(T::tools(["a", "b", "zz"])), "required"),
            ("a b", "o", true, Some(T::tool_or_output(["a", "o"])), "auto a o"),
        ];
        for (functions, outputs, allow_text, choice, expected) in table {
            let case = format!("{functions:?} {outputs:?} {allow_text} {choice:?}");
            assert_eq!(resolved(functions, outputs, "", allow_text, choice), expected, "{case}");
        }
    }

    #[test]
    fn what_cannot_be_chosen_is_named() {
        let message = resolved("a b", "o", "", true, Some(T::tools(["nobody", "zz"])));
        for word in ["error", "`nobody`", "`zz`", "`a`", "`b`", "`o`"] {
            assert!(message.contains(word), "{message}");
        }
        assert!(resolved("a", "o", "", true, Some(T::tool_or_output(["o"]))).contains("its function tools are: `a`"));
        assert!(resolved("", "", "", true, Some(T::Required)).starts_with("error"));
        assert!(resolved("", "o", "", false, Some(T::Required)).starts_with("error"));
    }

    #[test]
    fn hidden_tools_are_left_out_while_something_is_left() {
        assert_eq!(resolved("a b", "", "h", true, Some(T::tools(["a", "h"]))), "required a");
        assert_eq!(resolved("a b", "", "h", true, Some(T::tools(["a", "b"]))), "required a b");
        assert_eq!(resolved("a", "o", "h", true, Some(T::tool_or_output(["h"]))), "auto o");
        assert!(resolved("a", "o", "h", true, Some(T::tools(["h"]))).contains("`h`"));
        assert!(resolved("a", "", "h", true, Some(T::tool_or_output(["h"]))).starts_with("error"));
        assert!(resolved("", "", "h", true, Some(T::Required)).contains("`h`"));
        assert_eq!(resolved("a", "", "h", true, Some(T::Required)), "required");
    }

    #[test]
    fn only_asking_in_so_many_words_forces() {
        let functions = tools("a b");
        let choices = Choices {
            function_tools: &functions,
            deferred: Vec::new(),
            output_tools: &[],
            hidden: Vec::new(),
            allow_text: false,
        };
        let forced = |choice: Option<ToolChoice>| choices.resolve(choice.as_ref()).expect("a choice").forced;
        assert!(forced(Some(T::Required)) && forced(Some(T::tools(["a"]))));
        assert!(!forced(None) && !forced(Some(T::tool_or_output(["a"]))));
        let ignored = choices.resolve(Some(&T::tools(["a", "zz"]))).expect("a choice").ignored;
        assert_eq!(ignored, ["zz"]);
    }

    #[test]
    fn a_run_is_not_forced_for_ever() {
        let outputs = tools("final_result");
        for refused in [T::Required, T::tools(["a", "b"]), T::Tools(vec![])] {
            assert!(check_static(Some(&refused), &outputs).is_err(), "{refused:?}");
        }
        for fine in [T::Auto, T::None, T::tools(["final_result", "a"]), T::tool_or_output(["a"])] {
            assert!(check_static(Some(&fine), &outputs).is_ok(), "{fine:?}");
        }
        let message = check_static(Some(&T::tools(["a"])), &[]).expect_err("misuse").to_string();
        assert!(message.contains("`a`"), "{message}");
    }
}
