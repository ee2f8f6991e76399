//! Which tools a model is told to call, where not every model can be made to.

use super::exchange::Asked;
use crate::choice::{Choices, ResolvedChoice};
use crate::error::Result;
use crate::model::ToolChoice;
use crate::wording::listed;

/// What the tool choice of a request comes to among these tools; `unforceable` says why the model cannot be made to call a tool, if it cannot,
/// and `thinks` whether it thinks unless it is made to.
///
/// # Errors
///
/// Misuse, when no chosen tool is there, or a call is demanded that the model cannot be made to make.
pub(crate) fn choose<'a>(
    asked: &Asked<'a>,
    choices: Choices<'a>,
    unforceable: Option<&'static str>,
    thinks: bool,
) -> Result<ResolvedChoice<'a>> {
    let Asked { model, settings, .. } = *asked;
    let choice = choices.resolve(settings.tool_choice.as_ref())?;
    match unforceable {
        Some(why) => {
            let demanded = demanded(&choice, settings.tool_choice.as_ref());
            choice.unforced(|| format!("the model `{model}` {why}{demanded}"))
        }
        // It would answer a forced call without a thought: only who demands one is given it.
        None if thinks && !choice.forced => choice.unforced(String::new),
        None => Ok(choice),
    }
}

/// The tools that a choice demands, in words.
fn demanded(choice: &ResolvedChoice<'_>, asked: Option<&ToolChoice>) -> String {
    let names: Vec<&str> = match (&choice.names, asked) {
        (Some(names), _) => names.clone(),
        (None, Some(ToolChoice::Tools(names))) => names.iter().map(String::as_str).collect(),
        _ => return String::new(),
    };
    format!(", but tool_choice demands {}", listed(names))
}
