//! Models: what the run asks for answers.

mod direct;
mod fallback;
mod function;
mod limited;
mod named;
mod part_event;
mod settings;
mod test;

use std::any::Any;
use std::sync::Arc;

pub use direct::{request, request_blocking, request_stream};
pub use fallback::FallbackModel;
pub use function::FunctionModel;
pub use limited::{ConcurrencyLimit, LimitedModel};
pub use part_event::{PartDelta, PartEvent, PartEvents};
pub use settings::{ModelSettings, Thinking, ToolChoice};
pub use test::TestModel;

pub use crate::search::SearchStrategy;

use crate::error::Result;
use crate::later::BoxFuture;
use crate::message::{History, ModelRequest, ModelResponse, Prompt, RequestPart, UserPromptPart};
use crate::native::{NativeTool, Rivals};
use crate::output::OutputFormat;
use crate::tool::ToolDefinition;

/// What answers: a provider's model, or one made for tests.
///
/// A model around another one hands on all of its methods, also those that are optional.
///
/// A model knows nothing of agents: it turns a conversation and tool definitions into a response.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no model",
    label = "does not implement `Model`",
    note = "take one of a provider, such as `OpenAiChatModel::new(…)?`, name one with `AnyModel::named(\"openai:gpt-5.2\")?`, or implement \
            `Model` for it"
)]
pub trait Model: Send + Sync + 'static {
    /// The model's name, such as `gpt-5.2`.
    fn name(&self) -> &str;

    /// The provider's name, such as `openai`.
    fn system(&self) -> &str;

    /// The model's own settings, under those of agents and runs.
    fn settings(&self) -> Option<&ModelSettings> {
        None
    }

    /// Whether it can be held to a JSON schema as it writes its text; see [`OutputSpec::native`](crate::OutputSpec::native).
    fn has_native_output(&self) -> bool {
        false
    }

    /// Whether hidden tools can be searched by this strategy: one that [only providers
    /// have](SearchStrategy::is_only_the_providers) is refused by all others.
    fn can_search(&self, strategy: SearchStrategy) -> bool {
        !strategy.is_only_the_providers()
    }

    /// Whether its provider has this tool of its own, within its limits; see [`native`](crate::native). A model that says so
    /// gets it among [`ModelInput::native_tools`], and leaves out the function tools that
    /// [step aside](ToolDefinition::unless_native) for it.
    fn has_native_tool(&self, _tool: &NativeTool) -> bool {
        false
    }

    /// Asks for a response. Dropping the future gives the request up.
    ///
    /// `cache` lives as long as the run: a model may keep there what it has encoded already.
    fn request(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
    ) -> impl Future<Output = Result<ModelResponse>> + Send;

    /// Asks for a response and tells `events` of its parts as they come. The response is the same as that of
    /// [`request`](Self::request): a reply that breaks off is an error, never a shorter response.
    ///
    /// A model that cannot stream tells of each part when the response is there.
    fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> impl Future<Output = Result<ModelResponse>> + Send {
        async move {
            let response = self.request(input, cache).await?;
            events.whole(&response);
            Ok(response)
        }
    }
}

/// What a model is asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelInput {
    /// The conversation, the newest message last.
    pub history: History,
    /// What the model is told to do, before the conversation.
    pub instructions: Option<String>,
    /// The tools the model may call, in order.
    pub function_tools: Arc<[ToolDefinition]>,
    /// Tools that the model is to find first, in order. It is not told of them.
    pub hidden_tools: Arc<[ToolDefinition]>,
    /// All tools that were hidden when the run began, in their order: those among [`function_tools`](Self::function_tools) that
    /// were found since, and the [`hidden_tools`](Self::hidden_tools). Those of a capability that is loaded on demand
    /// ([`ToolDefinition::capability_id`]) cannot be searched, all others can.
    pub deferred_tools: Arc<[ToolDefinition]>,
    /// How hidden tools are searched.
    pub search_strategy: SearchStrategy,
    /// The tools that the provider itself is to run, in order: such as the model [has](Model::has_native_tool).
    pub native_tools: Arc<[NativeTool]>,
    /// The tools whose arguments are the run's output, in order.
    pub output_tools: Arc<[ToolDefinition]>,
    /// Whether text can be the run's output.
    pub allow_text: bool,
    /// What the text is to be, where it is a structured output. Its instructions are among [`instructions`](Self::instructions)
    /// already.
    pub output_format: Option<Arc<OutputFormat>>,
    /// How to answer.
    pub settings: ModelSettings,
}

impl ModelInput {
    /// A question without tools, with the instructions of the newest request.
    #[must_use]
    pub fn new(history: History) -> Self {
        Self {
            instructions: history.instructions().map(str::to_owned),
            history,
            function_tools: Arc::default(),
            hidden_tools: Arc::default(),
            deferred_tools: Arc::default(),
            search_strategy: SearchStrategy::default(),
            native_tools: Arc::default(),
            output_tools: Arc::default(),
            allow_text: true,
            output_format: None,
            settings: ModelSettings::default(),
        }
    }

    /// A question without tools: this prompt alone.
    #[must_use]
    pub fn prompt(prompt: impl Into<Prompt>) -> Self {
        let parts = vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))];
        Self::new(History::from_iter([ModelRequest::new(parts)]))
    }

    /// Says what the model is told to do, before the conversation.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Gives the model tools.
    #[must_use]
    pub fn function_tools(mut self, tools: impl IntoIterator<Item = ToolDefinition>) -> Self {
        self.function_tools = tools.into_iter().collect();
        self
    }

    /// All tools the model may call, function tools first.
    #[cfg(feature = "provider")]
    pub(crate) fn tools(&self) -> impl Iterator<Item = &ToolDefinition> + Clone {
        self.function_tools.iter().chain(self.output_tools.iter())
    }

    /// Gives the model tools that its provider itself runs; it has to [have](Model::has_native_tool) them.
    #[must_use]
    pub fn native_tools(mut self, tools: impl IntoIterator<Item = NativeTool>) -> Self {
        self.native_tools = tools.into_iter().collect();
        self
    }

    /// Says how to answer.
    #[must_use]
    pub fn settings(mut self, settings: ModelSettings) -> Self {
        self.settings = settings;
        self
    }
}

/// A place where a model keeps what it has made for earlier requests of a run, and what it has to say of the next.
#[derive(Default)]
pub struct RequestCache {
    kept: Option<Box<dyn Any + Send>>,
    notes: Vec<String>,
    /// The body of the last request.
    #[cfg(feature = "provider")]
    pub(crate) last_body: Vec<u8>,
    pub(crate) rivals: Rivals,
    /// What has moved since it was last taken.
    pub(crate) moved: Vec<String>,
}

impl RequestCache {
    /// Notes in the step's report what the request could not carry as it was asked to; see
    /// [`StepReport::notes`](crate::StepReport::notes).
    pub fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        // A request that is made again is noted once.
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// What was noted of the requests made with it.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What has moved from one request to the next, of all the requests made with it; see
    /// [`StepReport::moved`](crate::StepReport::moved).
    #[must_use]
    pub fn moved(&self) -> &[String] {
        &self.moved
    }

    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// What is kept, as a `T`; a fresh one where there is none, or one of another type.
    pub fn get<T: Any + Send + Default>(&mut self) -> &mut T {
        if !self.kept.as_ref().is_some_and(|kept| kept.is::<T>()) {
            self.kept = Some(Box::<T>::default());
        }
        match self.kept.as_mut().and_then(|kept| kept.downcast_mut()) {
            Some(kept) => kept,
            None => unreachable!("it was just made to be a `T`"),
        }
    }
}

/// A model behind a pointer. Cloning shares it.
#[derive(Clone)]
pub struct AnyModel(Arc<dyn ErasedModel>);

impl AnyModel {
    /// Hides the type of `model`.
    pub fn new(model: impl Model) -> Self {
        Self(Arc::new(model))
    }
}

impl Model for AnyModel {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn system(&self) -> &str {
        self.0.system()
    }

    fn settings(&self) -> Option<&ModelSettings> {
        self.0.settings()
    }

    fn has_native_output(&self) -> bool {
        self.0.has_native_output()
    }

    fn can_search(&self, strategy: SearchStrategy) -> bool {
        self.0.can_search(strategy)
    }

    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        self.0.has_native_tool(tool)
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        self.0.request(input, cache).await
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        self.0.request_stream(input, cache, events).await
    }
}

impl<M: Model + ?Sized> Model for Arc<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn system(&self) -> &str {
        (**self).system()
    }

    fn settings(&self) -> Option<&ModelSettings> {
        (**self).settings()
    }

    fn has_native_output(&self) -> bool {
        (**self).has_native_output()
    }

    fn can_search(&self, strategy: SearchStrategy) -> bool {
        (**self).can_search(strategy)
    }

    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        (**self).has_native_tool(tool)
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        (**self).request(input, cache).await
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        (**self).request_stream(input, cache, events).await
    }
}

/// [`Model`] with boxed futures, so that it can stand behind a pointer.
trait ErasedModel: Send + Sync {
    fn name(&self) -> &str;
    fn system(&self) -> &str;
    fn settings(&self) -> Option<&ModelSettings>;
    fn has_native_output(&self) -> bool;
    fn can_search(&self, strategy: SearchStrategy) -> bool;
    fn has_native_tool(&self, tool: &NativeTool) -> bool;
    fn request<'a>(
        &'a self,
        input: &'a ModelInput,
        cache: &'a mut RequestCache,
    ) -> BoxFuture<'a, Result<ModelResponse>>;
    fn request_stream<'a>(
        &'a self,
        input: &'a ModelInput,
        cache: &'a mut RequestCache,
        events: &'a mut PartEvents<'_>,
    ) -> BoxFuture<'a, Result<ModelResponse>>;
}

impl<M: Model> ErasedModel for M {
    fn name(&self) -> &str {
        Model::name(self)
    }

    fn system(&self) -> &str {
        Model::system(self)
    }

    fn settings(&self) -> Option<&ModelSettings> {
        Model::settings(self)
    }

    fn has_native_output(&self) -> bool {
        Model::has_native_output(self)
    }

    fn can_search(&self, strategy: SearchStrategy) -> bool {
        Model::can_search(self, strategy)
    }

    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        Model::has_native_tool(self, tool)
    }

    fn request<'a>(
        &'a self,
        input: &'a ModelInput,
        cache: &'a mut RequestCache,
    ) -> BoxFuture<'a, Result<ModelResponse>> {
        Box::pin(Model::request(self, input, cache))
    }

    fn request_stream<'a>(
        &'a self,
        input: &'a ModelInput,
        cache: &'a mut RequestCache,
        events: &'a mut PartEvents<'_>,
    ) -> BoxFuture<'a, Result<ModelResponse>> {
        Box::pin(Model::request_stream(self, input, cache, events))
    }
}
