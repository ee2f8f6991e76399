//! Turns a case into an agent, plays its runs, and compares what came of them.

mod agent;
mod conditions;
mod deferred;
mod direct;
mod edits;
mod files;
mod log;
mod models;
mod observed;
mod outcomes;
mod runs;
mod settings;
mod spec;
mod tools;
mod toolsets;
mod verdict;

use std::time::Duration;

use crate::case::Case;
use agent::play_spec;
use spec::Spec;

/// How long a case may take by its own clock: a paused one is there at once when nothing is left to wait for.
const LIMIT: Duration = Duration::from_secs(15);

/// Plays a case; the error is the first difference.
pub(crate) fn play(case: &Case) -> Result<(), String> {
    let mut json = case.json.clone();
    let expected = json.as_object_mut().and_then(|case| case.remove("expect")).unwrap_or_default();
    let spec: Spec = serde_json::from_value(json).map_err(|error| format!("needs what is not built: {error}"))?;
    let api = spec.api.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(!spec.is_http())
        .build()
        .map_err(|error| format!("no runtime: {error}"))?;
    let played = runtime.block_on(async { tokio::time::timeout(LIMIT, play_spec(spec)).await });
    runtime.shutdown_background();
    let observed = played.map_err(|_| "does not end".to_owned())??;
    verdict::check(&api, &expected, &observed)
}
