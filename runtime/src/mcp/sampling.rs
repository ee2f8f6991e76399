//! What a server asks a model.

#![expect(deprecated, reason = "servers of versions before 2026-07-28 ask in no other way")]

use std::sync::Arc;

use rmcp::model::{
    CreateMessageRequestParams, CreateMessageResult, Role, SamplingMessage, SamplingMessageContentBlock,
};

use super::result::binary;
use crate::error::BoxError;
use crate::later::BoxFuture;
use crate::message::{
    FinishReason, History, Message, ModelRequest, ModelResponse, RequestPart, ResponsePart, TextPart, UserContent,
    UserPromptPart,
};
use crate::model::{ModelInput, ModelSettings};

/// Answers what servers ask a model.
pub(super) type SamplingHandler =
    Arc<dyn Fn(ModelInput) -> BoxFuture<'static, Result<ModelResponse, BoxError>> + Send + Sync>;

/// The question as models are asked it.
///
/// # Errors
///
/// Where it has something that no model can be asked so.
pub(super) fn question(params: CreateMessageRequestParams) -> Result<ModelInput, BoxError> {
    if params.tools.is_some_and(|tools| !tools.is_empty()) {
        return Err("no tools can be given to the model".into());
    }
    let history: History = params.messages.into_iter().map(message).collect::<Result<_, _>>()?;
    let mut settings = ModelSettings::new().max_tokens(params.max_tokens.into());
    settings.temperature = params.temperature.map(f64::from);
    settings.stop_sequences = params.stop_sequences;
    let input = ModelInput::new(history).settings(settings);
    Ok(match params.system_prompt {
        Some(prompt) => input.instructions(prompt),
        None => input,
    })
}

fn message(message: SamplingMessage) -> Result<Message, BoxError> {
    let blocks = message.content.into_vec();
    match message.role {
        Role::User => {
            let content: Vec<_> = blocks.into_iter().map(user_content).collect::<Result<_, _>>()?;
            Ok(ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new(content))]).into())
        }
        Role::Assistant => {
            let parts: Vec<_> = blocks.into_iter().map(said).collect::<Result<_, _>>()?;
            Ok(ModelResponse::new(parts).into())
        }
    }
}

fn user_content(block: SamplingMessageContentBlock) -> Result<UserContent, BoxError> {
    match block {
        SamplingMessageContentBlock::Text(text) => Ok(text.text.into()),
        SamplingMessageContentBlock::Image(image) => Ok(binary(&image.data, &image.mime_type)?.into()),
        SamplingMessageContentBlock::Audio(audio) => Ok(binary(&audio.data, &audio.mime_type)?.into()),
        _ => Err("the user can say texts, images and sounds".into()),
    }
}

fn said(block: SamplingMessageContentBlock) -> Result<ResponsePart, BoxError> {
    match block {
        SamplingMessageContentBlock::Text(text) => Ok(ResponsePart::Text(TextPart::new(text.text))),
        _ => Err("the model can have said texts".into()),
    }
}

/// The answer as the server is given it: the texts of the response.
pub(super) fn answer(response: &ModelResponse) -> CreateMessageResult {
    let texts = response.parts.iter().filter_map(|part| match part {
        ResponsePart::Text(text) => Some(text.content.as_str()),
        _ => None,
    });
    let message = SamplingMessage::assistant_text(texts.collect::<String>());
    let model = response.model_name.clone().unwrap_or_else(|| "unknown".to_owned());
    let reason = match response.finish_reason {
        Some(FinishReason::Length) => CreateMessageResult::STOP_REASON_END_MAX_TOKEN,
        _ => CreateMessageResult::STOP_REASON_END_TURN,
    };
    CreateMessageResult::new(message, model).with_stop_reason(reason)
}
