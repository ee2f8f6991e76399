//! Plays requests to a model with no agent around it.

use serde_json::Value;
use toolwright::message::{Message, ModelRequest, RequestPart, UserPromptPart};
use toolwright::model::{ModelInput, request};

use super::files::prompt;
use super::models::Logged;
use super::observed::{Ending, Observed};
use super::runs::Scene;
use super::spec::{RunSpec, Spec};
use super::tools::ToolSpec;

/// Asks the model once for each run.
pub(crate) async fn play_direct(
    spec: &Spec,
    runs: &[RunSpec],
    model: &Logged,
    scene: &Scene,
) -> Result<Vec<Observed>, String> {
    let mut all: Vec<Observed> = Vec::new();
    for run in runs {
        let previous = all.last().map(|before| before.history.clone()).unwrap_or_default();
        scene.set(run);
        let mut history = run.history(&previous)?;
        if let Some(words) = &run.prompt {
            history.push(user_request(spec, words)?);
        }
        let settings = run.model_settings.as_ref().map(|settings| spec.model_settings.0.merged(&settings.0));
        let input = ModelInput::new(history.clone())
            .function_tools(spec.tools.iter().map(ToolSpec::definition))
            .settings(settings.unwrap_or_else(|| spec.model_settings.0.clone()));
        all.push(match request(model, &input).await {
            Ok(response) => {
                let usage = serde_json::to_value(&response.usage).map_err(|error| error.to_string())?;
                let response = Message::Response(response);
                let shown = serde_json::to_value(&response).map_err(|error| error.to_string())?;
                history.push(response);
                scene.observed(Ending::Response(shown), history, usage)
            }
            Err(error) => scene.observed(Ending::Failed(error), history, Value::Null),
        });
    }
    Ok(all)
}

fn user_request(spec: &Spec, words: &Value) -> Result<ModelRequest, String> {
    let prompt = prompt(words).map_err(|error| error.to_string())?;
    let mut request = ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))]);
    request.instructions = spec.instructions.clone();
    Ok(request)
}
