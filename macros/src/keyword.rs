//! Every word the macros know, once.

pub(crate) const ARG: &str = "arg";
pub(crate) const ARGS_VALIDATOR: &str = "args_validator";
pub(crate) const CRATE: &str = "crate";
pub(crate) const CTX: &str = "ctx";
pub(crate) const DEFAULT: &str = "default";
pub(crate) const DEFER_LOADING: &str = "defer_loading";
pub(crate) const DEPS: &str = "deps";
pub(crate) const DESCRIPTION: &str = "description";
pub(crate) const INLINE: &str = "inline";
pub(crate) const LENIENT: &str = "lenient";
pub(crate) const METADATA: &str = "metadata";
pub(crate) const NAME: &str = "name";
pub(crate) const NESTED: &str = "nested";
pub(crate) const PREPARE: &str = "prepare";
pub(crate) const RENAME: &str = "rename";
pub(crate) const REQUIRES_APPROVAL: &str = "requires_approval";
pub(crate) const RETRIES: &str = "retries";
pub(crate) const RUN_CONTEXT: &str = "RunContext";
pub(crate) const SCHEMARS: &str = "schemars";
pub(crate) const SEQUENTIAL: &str = "sequential";
pub(crate) const SERDE: &str = "serde";
pub(crate) const STRICT: &str = "strict";
pub(crate) const TIMEOUT: &str = "timeout";
pub(crate) const TYPE: &str = "type";
