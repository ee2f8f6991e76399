//! In whose name the application speaks.

/// In whose name instructions are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SystemRole {
    /// `system`.
    System,
    /// `developer`.
    Developer,
    /// `user`, for models that know no other.
    User,
}

impl SystemRole {
    /// The role of an OpenAI model, by its name.
    pub(crate) fn of(model: &str) -> Self {
        if model.starts_with("o1-mini") { Self::User } else { Self::System }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
        }
    }
}
