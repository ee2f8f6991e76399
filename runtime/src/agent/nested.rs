//! How deep runs may stand inside one another.

use crate::error::{Error, Result};

/// Runs that stand inside one another share a stack, which ends somewhere: an agent that a tool of its own runs, and a model
/// that always calls it, would find out where.
const DEEPEST: u32 = 5;

tokio::task_local! {
    static DEPTH: u32;
}

/// Does the work of a run, unless it stands inside too many others.
///
/// # Errors
///
/// Misuse, when it does; and those of the work.
pub(super) async fn within_depth<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let depth = DEPTH.try_with(|depth| *depth).unwrap_or_default() + 1;
    if depth > DEEPEST {
        return Err(Error::misuse(format!(
            "runs stand inside one another more than {DEEPEST} deep; let an agent not run itself, or run the inner one in a \
             task of its own"
        )));
    }
    DEPTH.scope(depth, work).await
}
