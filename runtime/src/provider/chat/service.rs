//! Where the API is spoken, and how.

use super::profile::ChatProfile;
use super::{Chat, ChatForm};
use crate::error::Result;
use crate::model::ModelSettings;
use crate::provider::connection::{Access, ConnectionBuilder};
use crate::provider::exchange::Exchange;

/// A provider that speaks the API.
pub(crate) struct ChatService {
    pub(crate) access: Access,
    /// What stands between the server's URL and the API's own path, unless the URL ends with it.
    pub(crate) prefix: &'static [&'static str],
    /// What is known of a model by its name.
    pub(crate) profile: fn(&str) -> ChatProfile,
}

impl ChatService {
    /// The model of this name; `builder` is how the user makes a builder, for errors.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub(crate) fn exchange(
        &self,
        name: String,
        profile: ChatProfile,
        settings: ModelSettings,
        connection: ConnectionBuilder,
        builder: &str,
    ) -> Result<Exchange<Chat>> {
        let connection = connection.build(&self.access, builder)?;
        let prefix = match self.prefix.last() {
            Some(last) if connection.ends_with(last) => &[],
            _ => self.prefix,
        };
        let endpoint = connection.endpoint(prefix.iter().copied().chain(["chat", "completions"]))?;
        let form = ChatForm { system: self.access.system, profile };
        Ok(Exchange { name, settings, connection, api: Chat { form, endpoint } })
    }
}

/// Makes the public model of a [`ChatService`] and its builder. `key` and `url` are the environment variables that their
/// methods stand over, `place` is where the API is, `model` is a model's name and `example` another URL.
#[cfg(any(feature = "groq", feature = "huggingface", feature = "xai"))]
macro_rules! chat_model {
    (
        $(#[$meta:meta])* $model:ident, $builder:ident, $service:expr, module: $module:literal,
        key: $key:literal, url: $url:literal, place: $place:literal, model: $name:literal, example: $example:literal
    ) => {
        $(#[$meta])*
        ///
        /// ```no_run
        #[doc = concat!("use toolwright::provider::", $module, "::", stringify!($model), ";")]
        ///
        /// # fn main() -> toolwright::Result<()> {
        #[doc = concat!("let model = ", stringify!($model), "::new(\"", $name, "\")?;")]
        /// # let _ = model;
        /// # Ok(())
        /// # }
        /// ```
        #[derive(Clone)]
        pub struct $model(pub(in $crate::provider) $crate::provider::exchange::Shared<$crate::provider::chat::Chat>);

        $crate::provider::exchange::exchange_model!($model);

        impl $model {
            #[doc = concat!("The model of this name, with the key in `", $key, "`; at ", $place, ", or where `", $url, "` says.")]
            ///
            /// # Errors
            ///
            /// Misuse, when the key is missing or the URL is none.
            pub fn new(name: impl Into<String>) -> $crate::Result<Self> {
                Self::builder(name).build()
            }

            /// The model of this name, with more to say about it.
            pub fn builder(name: impl Into<String>) -> $builder {
                let name = name.into();
                $builder {
                    profile: ($service.profile)(&name),
                    name,
                    connection: $crate::provider::connection::ConnectionBuilder::default(),
                    settings: $crate::ModelSettings::default(),
                }
            }

            /// What the model is taken to be able to do.
            #[must_use]
            pub fn profile(&self) -> &$crate::provider::chat::ChatProfile {
                &self.0.api.form.profile
            }
        }

        #[doc = concat!("Says how a [`", stringify!($model), "`] is reached and what it can do.")]
        #[derive(Clone)]
        pub struct $builder {
            name: String,
            profile: $crate::provider::chat::ChatProfile,
            connection: $crate::provider::connection::ConnectionBuilder,
            settings: $crate::ModelSettings,
        }

        impl $builder {
            /// Corrects what the model is taken to be able to do.
            ///
            /// ```
            #[doc = concat!("# use toolwright::provider::", $module, "::", stringify!($model), ";")]
            #[doc = concat!("let model = ", stringify!($model), "::builder(\"", $name, "\")")]
            ///     .api_key("a key")
            ///     .profile(|profile| profile.images = false)
            ///     .build()?;
            /// # Ok::<(), toolwright::Error>(())
            /// ```
            #[must_use]
            pub fn profile(mut self, correct: impl FnOnce(&mut $crate::provider::chat::ChatProfile)) -> Self {
                correct(&mut self.profile);
                self
            }

            /// The model.
            ///
            /// # Errors
            ///
            /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
            pub fn build(self) -> $crate::Result<$model> {
                let builder = concat!(stringify!($model), "::builder(…)");
                let exchange = $service.exchange(self.name, self.profile, self.settings, self.connection, builder)?;
                Ok($model(std::sync::Arc::new(exchange)))
            }
        }

        $crate::provider::connection::connection_methods!($builder, key: $key, url: $url, example: $example);
    };
}
#[cfg(any(feature = "groq", feature = "huggingface", feature = "xai"))]
pub(crate) use chat_model;
