//! Collects the spans of a test.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

/// The spans that were opened on this thread, in order, as long as it lives.
pub(crate) struct Collector {
    spans: Arc<Mutex<Vec<Span>>>,
    _guard: DefaultGuard,
}

/// A span, and what was recorded on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Span {
    pub(crate) parent: Option<usize>,
    pub(crate) fields: Fields,
    pub(crate) events: Vec<Fields>,
    pub(crate) closed: bool,
}

#[derive(Clone, Default, PartialEq)]
pub(crate) struct Fields(BTreeMap<&'static str, String>);

impl Collector {
    pub(crate) fn new() -> Self {
        let spans: Arc<Mutex<Vec<Span>>> = Arc::default();
        let layer = Collect { spans: spans.clone() };
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
        Self { spans, _guard: guard }
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        self.spans.lock().expect("lock").clone()
    }

    /// The one span of this name.
    pub(crate) fn span(&self, name: &str) -> Span {
        let mut found = self.spans().into_iter().filter(|span| span.fields.get("otel.name") == Some(name));
        let span = found.next().unwrap_or_else(|| panic!("no span `{name}` in:\n{}", self.tree()));
        assert!(found.next().is_none(), "several spans `{name}` in:\n{}", self.tree());
        span
    }

    /// The names of all spans, each indented under its parent; errors by their types.
    pub(crate) fn tree(&self) -> String {
        let spans = self.spans();
        let mut tree = String::new();
        write_children(&spans, None, 0, &mut tree);
        tree
    }

    /// All that was recorded, as a text to search.
    pub(crate) fn everything(&self) -> String {
        format!("{:?}", self.spans())
    }
}

fn write_children(spans: &[Span], parent: Option<usize>, depth: usize, tree: &mut String) {
    for (place, span) in spans.iter().enumerate().filter(|(_, span)| span.parent == parent) {
        assert!(span.closed, "a span was left open: {span:?}");
        tree.push_str(&"  ".repeat(depth));
        tree.push_str(span.fields.get("otel.name").unwrap_or("?"));
        if let Some(error) = span.fields.get("error.type") {
            assert_eq!(span.fields.get("otel.status_code"), Some("ERROR"));
            tree.push_str(&format!(" ! {error}"));
        }
        tree.push('\n');
        write_children(spans, Some(place), depth + 1, tree);
    }
}

impl Fields {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The field, read as JSON.
    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        let text = self.get(name).unwrap_or_else(|| panic!("no field `{name}` in {self:?}"));
        serde_json::from_str(text).expect("JSON")
    }
}

impl Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

struct Collect {
    spans: Arc<Mutex<Vec<Span>>>,
}

/// Where a span stands among those collected.
struct Place(usize);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Collect {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, ctx: Context<'_, S>) {
        let mut span = Span::default();
        attributes.record(&mut span.fields);
        let new = ctx.span(id).expect("it was just opened");
        let place_of =
            |span: tracing_subscriber::registry::SpanRef<'_, S>| span.extensions().get::<Place>().map(|place| place.0);
        span.parent = new.parent().and_then(place_of);
        let mut spans = self.spans.lock().expect("lock");
        new.extensions_mut().insert(Place(spans.len()));
        spans.push(span);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, ctx: Context<'_, S>) {
        self.edit(ctx.span(id), |span| values.record(&mut span.fields));
    }

    fn on_event(&self, event: &Event<'_>, ctx: Context<'_, S>) {
        self.edit(ctx.event_span(event), |span| {
            let mut fields = Fields::default();
            event.record(&mut fields);
            span.events.push(fields);
        });
    }

    fn on_close(&self, id: Id, ctx: Context<'_, S>) {
        self.edit(ctx.span(&id), |span| span.closed = true);
    }
}

impl Collect {
    fn edit<'a, S: LookupSpan<'a>>(
        &self,
        span: Option<tracing_subscriber::registry::SpanRef<'a, S>>,
        edit: impl FnOnce(&mut Span),
    ) {
        let Some(span) = span else { return };
        let Some(place) = span.extensions().get::<Place>().map(|place| place.0) else { return };
        edit(&mut self.spans.lock().expect("lock")[place]);
    }
}
