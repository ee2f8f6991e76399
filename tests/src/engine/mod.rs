//! Turns a case into an agent, plays its runs, and compares what came of them.

mod agent;
mod conditions;
mod cuts;
mod deferred;
mod direct;
mod edits;
mod files;
mod kinds;
mod log;
mod models;
mod observed;
mod outcomes;
mod runs;
mod search;
mod settings;
mod spec;
mod tools;
mod toolsets;
mod verdict;

#[cfg(test)]
mod tests;

use std::time::Duration;

use agent::play_spec;
pub use cuts::{Stream, streams};
pub(crate) use models::provider_model;
use observed::Observed;
use spec::Spec;

use crate::case::{Case, Suite};

/// How long a case with a server may take.
const REAL_LIMIT: Duration = Duration::from_secs(15);

/// How long any other may take by its paused clock, which is there at once when nothing else is left to wait for.
const PAUSED_LIMIT: Duration = Duration::from_secs(60 * 60);

/// Plays a case; the error is the first difference.
pub(crate) fn play(case: &Case) -> Result<(), String> {
    let expected = case.said()?.get("expect").cloned().unwrap_or_default();
    let (api, observed) = observe(case)?;
    verdict::check(&api, &expected, &observed)
}

/// The bodies of the requests that the cases of a suite come to, in order.
///
/// # Errors
///
/// When a case cannot be played, and why.
pub fn bodies(suite: &Suite) -> Result<Vec<Vec<u8>>, String> {
    let mut bodies = Vec::new();
    for case in &suite.cases {
        let (_, observed) = observe(case).map_err(|error| format!("{}: {error}", case.id))?;
        bodies.extend(observed.into_iter().flat_map(|run| run.asked).map(|asked| asked.body));
    }
    Ok(bodies)
}

/// Plays a case: its API, and what came of its runs.
fn observe(case: &Case) -> Result<(String, Vec<Observed>), String> {
    let mut said = case.said()?.clone();
    said.remove("expect");
    // Its name, and why an expectation was set by hand.
    said.remove("id");
    said.remove("corrected");
    let spec: Spec =
        serde_json::from_value(said.into()).map_err(|error| format!("needs what is not built: {error}"))?;
    let (api, is_http) = (spec.api.clone(), spec.is_http());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(!is_http)
        .build()
        .map_err(|error| format!("no runtime: {error}"))?;
    let limit = if is_http { REAL_LIMIT } else { PAUSED_LIMIT };
    let played = runtime.block_on(async { tokio::time::timeout(limit, play_spec(spec)).await });
    runtime.shutdown_background();
    let observed = played.map_err(|_| format!("does not end within {limit:?}"))??;
    Ok((api, observed))
}
