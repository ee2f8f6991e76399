//! Searching tools that are hidden until they are found (specification: "Tool Search"; behaviours 19).

mod keywords;
mod strategy;

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::json;

use self::keywords::KeywordIndex;
pub use self::strategy::SearchStrategy;
use crate::args::{ArgsError, ArgsReader, ReadOptions};
use crate::capability::{Capability, Hooks, Internals};
use crate::context::RunContext;
use crate::error::BoxError;
use crate::json::Json;
use crate::later::{BoxFuture, Later};
use crate::message::{Arguments, ToolContent};
use crate::tool::{ModelRetry, ReadArgs, Running, Tool, ToolBody, ToolDefinition, ToolFailed, ToolReturn};

/// The name of the tool that finds hidden ones. While an agent has some, no other tool can be called that.
pub(crate) const SEARCH_TOOL: &str = "search_tools";
/// What a provider's own search is called in messages.
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) const PROVIDER_SEARCH: &str = "tool_search";
/// The id of the kind of both.
pub(crate) const SEARCH_KIND: &str = "tool-search";

const MAX_RESULTS: usize = 10;

/// How tools that are hidden until found are searched (specification: "Tool Search"). Without any, an agent that has hidden
/// tools searches [automatically](Self::automatic).
///
/// Who runs the search follows from the strategy and the model. A provider that searches itself (Anthropic, OpenAI Responses)
/// keeps the list of tools as it is while tools are found, and with it what it has cached; where the application searches,
/// such a provider carries the search in a form of its own, for the same reason. Any other is given a function tool,
/// `search_tools`.
///
/// ```
/// use toolwright::{Agent, RunContext, ToolDefinition, ToolSearch, model::TestModel};
///
/// fn by_prefix(_: &RunContext<()>, queries: &[String], tools: &[ToolDefinition]) -> Vec<String> {
///     let found = |tool: &&ToolDefinition| queries.iter().any(|query| tool.name().starts_with(query.as_str()));
///     tools.iter().filter(found).map(|tool| tool.name().to_owned()).collect()
/// }
///
/// let agent = Agent::<()>::builder(TestModel::new()).tool_search(ToolSearch::custom(by_prefix)).build()?;
/// # Ok::<(), toolwright::Error>(())
/// ```
#[must_use]
pub struct ToolSearch<D> {
    strategy: Strategy<D>,
    max_results: usize,
}

enum Strategy<D> {
    Automatic,
    Keywords,
    Custom(CustomSearch<D>),
    /// One that only providers have.
    Provider(SearchStrategy),
}

type CustomSearch<D> = Arc<
    dyn Fn(RunContext<D>, Arc<[String]>, Arc<[ToolDefinition]>) -> Later<Result<Vec<String>, BoxError>> + Send + Sync,
>;

impl<D: Send + Sync + 'static> ToolSearch<D> {
    /// Lets the provider search, if it does; else by [keywords](Self::keywords).
    pub fn automatic() -> Self {
        Self { strategy: Strategy::Automatic, max_results: MAX_RESULTS }
    }

    /// Lets the provider search by BM25. Anthropic does; a run over a model whose provider does not is misuse.
    pub fn bm25() -> Self {
        Self { strategy: Strategy::Provider(SearchStrategy::Bm25), max_results: MAX_RESULTS }
    }

    /// Lets the provider search by regular expressions that the model writes. Anthropic does; a run over a model whose
    /// provider does not is misuse.
    pub fn regex() -> Self {
        Self { strategy: Strategy::Provider(SearchStrategy::Regex), max_results: MAX_RESULTS }
    }

    /// Finds the tools that share most words with the queries, by name and description; those not found before come first.
    pub fn keywords() -> Self {
        Self { strategy: Strategy::Keywords, max_results: MAX_RESULTS }
    }

    /// Finds the tools whose names `search` gives, best first. Names it makes up are passed over.
    pub fn custom(
        search: impl Fn(&RunContext<D>, &[String], &[ToolDefinition]) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        let search: CustomSearch<D> =
            Arc::new(move |ctx, queries, tools| Later::Now(Ok(search(&ctx, &queries, &tools))));
        Self { strategy: Strategy::Custom(search), max_results: MAX_RESULTS }
    }

    /// The same with a function that takes its time, or that can fail. Its error is taken as that of any tool: a
    /// [`ModelRetry`] asks the model again, for one.
    pub fn custom_async<Fut, E>(
        search: impl Fn(RunContext<D>, Arc<[String]>, Arc<[ToolDefinition]>) -> Fut + Send + Sync + 'static,
    ) -> Self
    where
        Fut: Future<Output = Result<Vec<String>, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        let search: CustomSearch<D> = Arc::new(move |ctx, queries, tools| {
            let future = search(ctx, queries, tools);
            Later::Then(Box::pin(async move { future.await.map_err(Into::into) }))
        });
        Self { strategy: Strategy::Custom(search), max_results: MAX_RESULTS }
    }

    /// How many tools a search by the application finds at most; 10 unless set. With 0 none is ever found.
    pub fn max_results(mut self, max_results: usize) -> Self {
        self.max_results = max_results;
        self
    }
}

impl<D> ToolSearch<D> {
    /// How it searches.
    pub(crate) fn strategy(&self) -> SearchStrategy {
        match self.strategy {
            Strategy::Automatic => SearchStrategy::Automatic,
            Strategy::Keywords => SearchStrategy::Keywords,
            Strategy::Custom(_) => SearchStrategy::Custom,
            Strategy::Provider(strategy) => strategy,
        }
    }
}

impl<D> Clone for ToolSearch<D> {
    fn clone(&self) -> Self {
        let strategy = match &self.strategy {
            Strategy::Automatic => Strategy::Automatic,
            Strategy::Keywords => Strategy::Keywords,
            Strategy::Custom(search) => Strategy::Custom(search.clone()),
            Strategy::Provider(strategy) => Strategy::Provider(*strategy),
        };
        Self { strategy, max_results: self.max_results }
    }
}

impl<D: Send + Sync + 'static> Capability<D> for ToolSearch<D> {
    fn internals(&self) -> Internals<'_, D> {
        Internals {
            hooks: Hooks::NONE,
            tool_search: Some(self),
            label: Some("the tool search".into()),
            ..Internals::default()
        }
    }
}

impl<D> fmt::Debug for ToolSearch<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSearch")
            .field("strategy", &self.strategy().as_str())
            .field("max_results", &self.max_results)
            .finish()
    }
}

/// The tool that searches `corpus`.
pub(crate) fn search_tool<D: Send + Sync + 'static>(
    search: &Arc<ToolSearch<D>>,
    corpus: Arc<[ToolDefinition]>,
) -> Tool<D> {
    static DEFINITION: OnceLock<ToolDefinition> = OnceLock::new();
    let definition = DEFINITION.get_or_init(|| {
        ToolDefinition::new(SEARCH_TOOL)
            .with_description(
                "Finds further tools by what they are for. Tools that are found can be called from your next response on; \
                 search by topic whenever none of the tools you have fits.",
            )
            .with_parameters(json!({
                "type": "object",
                "properties": {
                    "queries": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "Words that name or describe the tools wanted, one query for each thing to be done.",
                    },
                },
                "required": ["queries"],
                "additionalProperties": false,
            }))
            .with_tool_kind(SEARCH_KIND)
    });
    let body = SearchBody { search: search.clone(), corpus: Corpus { tools: corpus, index: Arc::default() } };
    Tool::from_parts(definition.clone(), Arc::new(body))
}

/// The tools that can be found.
#[derive(Clone)]
struct Corpus {
    tools: Arc<[ToolDefinition]>,
    /// Made when it is first searched.
    index: Arc<OnceLock<KeywordIndex>>,
}

struct SearchBody<D> {
    search: Arc<ToolSearch<D>>,
    corpus: Corpus,
}

impl<D: Send + Sync + 'static> ToolBody<D> for SearchBody<D> {
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError> {
        let mut reader = ArgsReader::new(args.text(), ReadOptions { lenient: true, whole: false })?;
        let queries: Option<Vec<String>> = reader.get("queries");
        reader.finish()?;
        Ok(Box::new(queries.unwrap_or_default()))
    }

    fn check(&self, _: &RunContext<D>, _: &ReadArgs, _: &Arguments) -> Later<Result<(), BoxError>> {
        Later::Now(Ok(()))
    }

    fn call(&self, ctx: RunContext<D>, args: ReadArgs) -> Running {
        let queries = args.downcast::<Vec<String>>().map(|queries| *queries).unwrap_or_default();
        if queries.iter().all(|query| query.trim().is_empty()) {
            return Running::Done(Err(no_query()));
        }
        let (search, corpus) = (self.search.clone(), self.corpus.clone());
        let found: BoxFuture<'static, _> = Box::pin(async move {
            let names = search.find(ctx, queries, &corpus).await?;
            Ok(ToolReturn::new(found(&names)?))
        });
        Running::Future(found)
    }
}

fn no_query() -> BoxError {
    ModelRetry::new("Please provide at least one non-empty search query.").into()
}

impl<D: Send + Sync + 'static> ToolSearch<D> {
    /// The names of the tools found, best first.
    async fn find(&self, ctx: RunContext<D>, queries: Vec<String>, corpus: &Corpus) -> Result<Vec<String>, BoxError> {
        match &self.strategy {
            Strategy::Provider(_) => Err(ToolFailed::new("The tools are searched by the provider alone.").into()),
            Strategy::Automatic | Strategy::Keywords => {
                let index = corpus.index.get_or_init(|| KeywordIndex::new(&corpus.tools));
                let known = |place: usize| ctx.is_discovered(corpus.tools[place].name());
                let found = index.search(&queries, self.max_results, known).ok_or_else(no_query)?;
                Ok(found.into_iter().map(|place| corpus.tools[place].name().to_owned()).collect())
            }
            Strategy::Custom(search) => {
                let mut names = search(ctx, queries.into(), corpus.tools.clone()).get().await?;
                names.truncate(self.max_results);
                let known: HashSet<&str> = corpus.tools.iter().map(ToolDefinition::name).collect();
                names.retain(|name| known.contains(name.as_str()));
                Ok(names)
            }
        }
    }
}

/// What the model is told.
fn found(names: &[String]) -> Result<ToolContent, BoxError> {
    #[derive(Serialize)]
    struct Found<'a> {
        discovered_tools: Vec<Match<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<&'static str>,
    }
    #[derive(Serialize)]
    struct Match<'a> {
        name: &'a str,
    }
    let message = names.is_empty().then_some("No tool matches. Try other words; the tool you need may not exist.");
    let discovered_tools = names.iter().map(|name| Match { name }).collect();
    Json::of(&Found { discovered_tools, message }).map(ToolContent::Json).map_err(Into::into)
}
