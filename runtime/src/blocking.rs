//! Waiting for a future where there is no asynchronous runtime.

use crate::error::{Error, Result};

/// Waits for `future` in a runtime of its own; `caller` is what the user called.
///
/// # Errors
///
/// Misuse, inside an asynchronous runtime, whose thread it would block, and when no runtime can be made.
pub(crate) fn blocking<F: Future>(caller: &str, future: F) -> Result<F::Output> {
    if tokio::runtime::Handle::try_current().is_ok() {
        return Err(Error::misuse(format!(
            "`{caller}` was called inside an asynchronous runtime; await what it waits for instead"
        )));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::misuse(format!("no runtime could be made for `{caller}`")).with_source(error))?;
    let ended = runtime.block_on(future);
    // A blocking tool that was left behind must not hold up whoever asked.
    runtime.shutdown_background();
    Ok(ended)
}
