//! The names of fields, each once: a field that a span does not declare is dropped without a word.

/// What filters know the library's spans by.
pub(super) const TARGET: &str = "toolwright";

// Read by the bridge from `tracing` to OpenTelemetry.
pub(super) const OTEL_NAME: &str = "otel.name";
pub(super) const OTEL_KIND: &str = "otel.kind";
pub(super) const OTEL_STATUS_CODE: &str = "otel.status_code";
pub(super) const OTEL_STATUS_DESCRIPTION: &str = "otel.status_description";

pub(super) const ERROR_TYPE: &str = "error.type";
pub(super) const EXCEPTION_TYPE: &str = "exception.type";
pub(super) const EXCEPTION_MESSAGE: &str = "exception.message";

pub(super) const OPERATION_NAME: &str = "gen_ai.operation.name";
pub(super) const PROVIDER_NAME: &str = "gen_ai.provider.name";
pub(super) const AGENT_NAME: &str = "gen_ai.agent.name";
pub(super) const AGENT_CALL_ID: &str = "gen_ai.agent.call.id";
pub(super) const CONVERSATION_ID: &str = "gen_ai.conversation.id";

pub(super) const REQUEST_MODEL: &str = "gen_ai.request.model";
pub(super) const REQUEST_STREAM: &str = "gen_ai.request.stream";
pub(super) const REQUEST_MAX_TOKENS: &str = "gen_ai.request.max_tokens";
pub(super) const REQUEST_TEMPERATURE: &str = "gen_ai.request.temperature";
pub(super) const REQUEST_TOP_P: &str = "gen_ai.request.top_p";
pub(super) const REQUEST_SEED: &str = "gen_ai.request.seed";
pub(super) const REQUEST_STOP_SEQUENCES: &str = "gen_ai.request.stop_sequences";
pub(super) const REQUEST_PRESENCE_PENALTY: &str = "gen_ai.request.presence_penalty";
pub(super) const REQUEST_FREQUENCY_PENALTY: &str = "gen_ai.request.frequency_penalty";

pub(super) const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub(super) const RESPONSE_ID: &str = "gen_ai.response.id";
pub(super) const RESPONSE_FINISH_REASONS: &str = "gen_ai.response.finish_reasons";

pub(super) const USAGE_INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub(super) const USAGE_OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub(super) const USAGE_CACHE_READ: &str = "gen_ai.usage.cache_read.input_tokens";
pub(super) const USAGE_CACHE_CREATION: &str = "gen_ai.usage.cache_creation.input_tokens";

pub(super) const TOOL_NAME: &str = "gen_ai.tool.name";
pub(super) const TOOL_CALL_ID: &str = "gen_ai.tool.call.id";
pub(super) const TOOL_TYPE: &str = "gen_ai.tool.type";

// What conversations hold: behind the switch.
pub(super) const SYSTEM_INSTRUCTIONS: &str = "gen_ai.system_instructions";
pub(super) const INPUT_MESSAGES: &str = "gen_ai.input.messages";
pub(super) const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
pub(super) const TOOL_DEFINITIONS: &str = "gen_ai.tool.definitions";
pub(super) const TOOL_CALL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub(super) const TOOL_CALL_RESULT: &str = "gen_ai.tool.call.result";

// What the conventions have no names for.
pub(super) const FAILURE_STAGE: &str = "toolwright.tool.failure_stage";
pub(super) const TOOL_RETRY_CAUSE: &str = "toolwright.tool.retry.cause";
pub(super) const TOOL_RETRY_ATTEMPT: &str = "toolwright.tool.retry.attempt";
pub(super) const TOOL_RETRY_MAX: &str = "toolwright.tool.retry.max_retries";
pub(super) const OUTPUT_RETRY_CAUSE: &str = "toolwright.output.retry.cause";
pub(super) const OUTPUT_RETRY_ATTEMPT: &str = "toolwright.output.retry.attempt";
pub(super) const OUTPUT_RETRY_MAX: &str = "toolwright.output.retry.max_retries";
pub(super) const DEFERRAL_NAME: &str = "toolwright.tool.deferral.name";
pub(super) const DEFERRAL_METADATA: &str = "toolwright.tool.deferral.metadata";
