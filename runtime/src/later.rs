//! Values that are there now, or once a future is done: a synchronous function costs no allocation.

use std::pin::Pin;

/// A future that can be kept anywhere.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A value, or the future of one.
#[non_exhaustive]
pub enum Later<T> {
    /// It is there.
    Now(T),
    /// It comes.
    Then(BoxFuture<'static, T>),
}

impl<T> Later<T> {
    /// Waits for the value, if need be.
    pub async fn get(self) -> T {
        match self {
            Self::Now(value) => value,
            Self::Then(future) => future.await,
        }
    }
}

impl<T: 'static> Later<T> {
    /// What `map` makes of the value, once it is there.
    pub(crate) fn map<U: 'static>(self, map: impl FnOnce(T) -> U + Send + 'static) -> Later<U> {
        match self {
            Self::Now(value) => Later::Now(map(value)),
            Self::Then(future) => Later::Then(Box::pin(async move { map(future.await) })),
        }
    }
}
