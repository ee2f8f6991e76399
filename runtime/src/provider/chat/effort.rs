//! How OpenAI's models reason, by their names.

use self::Effort::{High, Low, Medium, Minimal, XHigh};
use crate::model::Thinking;

/// An effort that the APIs take as `reasoning_effort` or `reasoning.effort`, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Effort {
    /// Not at all.
    None,
    /// Hardly.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
    /// As much as the API allows.
    XHigh,
}

impl Effort {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::XHigh => "xhigh",
        }
    }
}

/// How a model reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reasoning {
    /// The efforts it takes, from least to most; none for a model that does not reason.
    pub efforts: &'static [Effort],
    /// Whether it reasons when nobody says how much.
    pub by_default: bool,
}

impl Reasoning {
    /// A model that does not reason.
    pub const NEVER: Self = Self { efforts: &[], by_default: false };

    /// A model that takes these efforts, and reasons by default or not.
    #[must_use]
    pub const fn new(efforts: &'static [Effort], by_default: bool) -> Self {
        Self { efforts, by_default }
    }

    /// What is known of a model, by its name; one that is not known is taken not to reason.
    #[must_use]
    pub fn of(model: &str) -> Self {
        FAMILIES.iter().find(|(prefix, _)| model.starts_with(prefix)).map_or(Self::NEVER, |(_, reasoning)| *reasoning)
    }

    pub(super) fn can_be_off(self) -> bool {
        self.efforts.contains(&Effort::None)
    }

    /// Whether the model reasons at all.
    pub(super) fn is_possible(self) -> bool {
        self.by_default || !self.efforts.is_empty()
    }

    /// Whether the model reasons when it is told this.
    pub(super) fn is_on(self, thinking: Option<Thinking>) -> bool {
        match thinking {
            None => self.by_default,
            Some(Thinking::Off) => self.by_default && !self.can_be_off(),
            Some(_) => self.is_possible(),
        }
    }

    /// The effort to ask for: the least that is not below `thinking`, else the most there is.
    pub(crate) fn effort(self, thinking: Option<Thinking>) -> Option<Effort> {
        let wanted = match thinking? {
            Thinking::Off if !self.by_default && !self.can_be_off() => return None,
            Thinking::Off => return self.efforts.first().copied(),
            Thinking::Minimal => Minimal,
            Thinking::Low => Low,
            Thinking::On | Thinking::Medium => Medium,
            Thinking::High => High,
        };
        let most = self.efforts.last().copied().filter(|effort| *effort != Effort::None);
        self.efforts.iter().copied().find(|effort| *effort >= wanted).or(most)
    }

    /// Whether OpenAI's models take a temperature and the like; they do not while they reason.
    pub(crate) fn takes_sampling(self, thinking: Option<Thinking>) -> bool {
        self.efforts.is_empty() || (self.can_be_off() && !self.is_on(thinking))
    }
}

const FROM_LOW: &[Effort] = &[Low, Medium, High, XHigh];
const O_SERIES: Reasoning = Reasoning::new(&[Low, Medium, High], true);
const ON_REQUEST: Reasoning = Reasoning::new(&[Effort::None, Minimal, Low, Medium, High, XHigh], false);
const BY_DEFAULT: Reasoning = Reasoning::new(&[Effort::None, Minimal, Low, Medium, High, XHigh], true);
const BY_DEFAULT_FROM_LOW: Reasoning = Reasoning::new(&[Effort::None, Low, Medium, High, XHigh], true);
const ALWAYS_FROM_LOW: Reasoning = Reasoning::new(FROM_LOW, true);
const PRO: Reasoning = Reasoning::new(&[Medium, High, XHigh], true);
const FIXED: Reasoning = Reasoning::new(&[Medium], true);

/// Families by the start of their names: the first that fits counts, so the narrower stand before the wider.
const FAMILIES: [(&str, Reasoning); 25] = [
    ("gpt-6-astra", ALWAYS_FROM_LOW),
    ("gpt-6.1-sol", ALWAYS_FROM_LOW),
    ("gpt-6.1-terra", BY_DEFAULT_FROM_LOW),
    ("gpt-6-sol", BY_DEFAULT_FROM_LOW),
    ("gpt-6-luna", BY_DEFAULT_FROM_LOW),
    ("gpt-5.6", BY_DEFAULT_FROM_LOW),
    ("gpt-5.5-pro", PRO),
    ("gpt-5.5", BY_DEFAULT),
    ("gpt-5.4-pro", PRO),
    ("gpt-5.4", ON_REQUEST),
    ("gpt-5.3-chat", FIXED),
    ("gpt-5.3", ON_REQUEST),
    ("gpt-5.2-pro", PRO),
    ("gpt-5.2-chat", FIXED),
    ("gpt-5.2", ON_REQUEST),
    ("gpt-5.1-codex", O_SERIES),
    ("gpt-5.1-chat", FIXED),
    ("gpt-5.1", ON_REQUEST),
    ("gpt-5-chat", Reasoning::NEVER),
    ("gpt-5-pro", Reasoning::new(&[High], true)),
    ("gpt-5-codex", O_SERIES),
    ("gpt-5", Reasoning::new(&[Minimal, Low, Medium, High], true)),
    ("o1", O_SERIES),
    ("o3", O_SERIES),
    ("o4", O_SERIES),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_how_models_reason() {
        let effort = |model, thinking| Reasoning::of(model).effort(thinking).map(Effort::as_str);
        assert_eq!(effort("gpt-5.2", None), None);
        assert_eq!(effort("gpt-5.2", Some(Thinking::On)), Some("medium"));
        assert_eq!(effort("gpt-5.2-2026-01-01", Some(Thinking::Off)), Some("none"));
        assert_eq!(effort("gpt-5-mini", Some(Thinking::Off)), Some("minimal"));
        assert_eq!(effort("gpt-5.6-sol", Some(Thinking::Minimal)), Some("low"));
        assert_eq!(effort("gpt-5.4-pro", Some(Thinking::Low)), Some("medium"));
        assert_eq!(effort("o3", Some(Thinking::High)), Some("high"));
        assert_eq!(effort("gpt-5.2-chat-latest", Some(Thinking::High)), Some("medium"));
        assert_eq!(effort("gpt-4o", Some(Thinking::High)), None);
    }

    #[test]
    fn sampling_is_for_models_that_do_not_reason_just_now() {
        let takes = |model, thinking| Reasoning::of(model).takes_sampling(thinking);
        assert!(
            takes("gpt-4o", Some(Thinking::High)) && takes("gpt-5.2", None) && takes("gpt-5.5", Some(Thinking::Off))
        );
        assert!(!takes("gpt-5.2", Some(Thinking::Low)) && !takes("gpt-5.5", None) && !takes("o3", Some(Thinking::Off)));
    }

    #[test]
    fn efforts_stand_in_order_and_prefixes_from_narrow_to_wide() {
        for (index, (prefix, reasoning)) in FAMILIES.iter().enumerate() {
            assert!(reasoning.efforts.is_sorted(), "{prefix}");
            assert!(!FAMILIES[..index].iter().any(|(wider, _)| prefix.starts_with(wider)), "{prefix} is never reached");
        }
    }
}
