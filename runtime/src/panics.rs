//! Functions of the application may panic; the run they panic in ends with an error instead.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt;

use crate::error::BoxError;
use crate::later::Later;

/// What `work` gives; a panic is an error.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, BoxError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_error(&*panic))
}

/// What `work` comes to; a panic is an error.
pub(crate) async fn catch_future<T>(work: impl Future<Output = T>) -> Result<T, BoxError> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(|panic| panic_error(&*panic))
}

/// What a hook that was called with [`catch`] comes to; a panic is its error.
pub(crate) async fn catch_later<T>(called: Result<Later<Result<T, BoxError>>, BoxError>) -> Result<T, BoxError> {
    match called? {
        Later::Now(given) => given,
        Later::Then(future) => catch_future(future).await?,
    }
}

/// What a panic said.
pub(crate) fn panic_error(panic: &(dyn Any + Send)) -> BoxError {
    let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
    let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("it panicked: {}", said.as_deref().unwrap_or("it did not say why")).into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "panics are what is tested")]

    use super::*;

    #[test]
    fn a_panic_is_told_in_its_words() {
        let panicked = catch(|| -> () { panic!("out of {}", "paper") }).expect_err("it panicked");
        assert_eq!(panicked.to_string(), "it panicked: out of paper");
        let later = catch(|| Later::<Result<(), _>>::Then(Box::pin(async { panic!("ink") })));
        assert_eq!(
            catch_later(later).now_or_never().expect("it is done").expect_err("it panicked").to_string(),
            "it panicked: ink"
        );
    }
}
