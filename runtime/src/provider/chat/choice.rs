//! The tool choice, as far as both of OpenAI's APIs take it alike.

use crate::choice::{ChoiceMode, Choices, ResolvedChoice};
use crate::error::Result;
use crate::model::ModelSettings;

/// Resolves the choice for this model, which can be made to call a tool or not.
///
/// # Errors
///
/// Misuse, when the choice names no tool that is there, or demands what the model cannot.
pub(crate) fn choose<'a>(
    model: &str,
    can_be_forced: bool,
    choices: Choices<'a>,
    settings: &ModelSettings,
) -> Result<ResolvedChoice<'a>> {
    let choice = choices.resolve(settings.tool_choice.as_ref())?;
    if can_be_forced {
        return Ok(choice);
    }
    choice.unforced(|| format!("the model `{model}` cannot be made to call a tool"))
}

/// The only tools that are sent: none are left out, unless the server cannot be told otherwise which may be called.
pub(crate) fn only_tools<'a>(choice: &ResolvedChoice<'a>, takes_lists: bool) -> Option<Vec<&'a str>> {
    let names = choice.names.as_ref()?;
    (!takes_lists && choice.single().is_none()).then(|| names.clone())
}

/// The mode, as both APIs name it.
pub(crate) fn mode_name(mode: ChoiceMode) -> &'static str {
    match mode {
        ChoiceMode::None => "none",
        ChoiceMode::Auto => "auto",
        ChoiceMode::Required => "required",
    }
}
