//! What is known of open models by their names, wherever they are served.

use super::profile::{ChatProfile, SchemaForm};

/// A family of models.
struct Family {
    /// How the names of its models begin, in lower case and without whose they are.
    name: &'static str,
    /// Whether its models understand schemas better without references.
    inlined_schemas: bool,
    /// Whether they begin their texts with blanks.
    blank_beginnings: bool,
    /// Whether they can be made to call a tool.
    forced_tool_choice: bool,
}

const fn family(name: &'static str, inlined_schemas: bool, blank_beginnings: bool, forced_tool_choice: bool) -> Family {
    Family { name, inlined_schemas, blank_beginnings, forced_tool_choice }
}

/// The first that fits counts, so the narrower stand before the wider.
const FAMILIES: [Family; 13] = [
    //      name            inlined blanks forced
    family("deepseek-r1", false, true, true),
    family("deepseek-reasoner", false, true, true),
    family("glm-5.3", true, false, true),
    family("zai-glm-5.3", true, false, true),
    family("gpt-oss", false, true, false),
    family("kimi", false, true, true),
    family("llama", true, false, true),
    family("meta-llama", true, false, true),
    family("snowflake-llama", true, false, true),
    family("qwen-3-coder", true, true, false),
    family("qwen3-coder", true, true, false),
    family("qwen", true, true, true),
    family("qwq", true, true, true),
];

/// The model's name in lower case, without whose it is: `qwen/Qwen3-32B` is `qwen3-32b`.
pub(crate) fn bare_name(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    name.split(':').next().unwrap_or(name).to_ascii_lowercase()
}

impl ChatProfile {
    /// The same, with what is known of a model's family.
    pub(crate) fn with_family(mut self, model: &str) -> Self {
        let name = bare_name(model);
        if let Some(family) = FAMILIES.iter().find(|family| name.starts_with(family.name)) {
            if family.inlined_schemas {
                self.schemas = SchemaForm::Inlined;
            }
            self.blank_beginnings |= family.blank_beginnings;
            self.forced_tool_choice &= family.forced_tool_choice;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_known_by_their_names() {
        let known = |model: &str| {
            let profile = ChatProfile::compatible().with_family(model);
            (profile.schemas == SchemaForm::Inlined, profile.blank_beginnings, profile.forced_tool_choice)
        };
        assert_eq!(known("Qwen/Qwen3-32B"), (true, true, true));
        assert_eq!(known("accounts/x/models/qwen3-coder-480b"), (true, true, false));
        assert_eq!(known("llama-3.3-70b-versatile"), (true, false, true));
        assert_eq!(known("openai/gpt-oss-120b:free"), (false, true, false));
        assert_eq!(known("somebody/else"), (false, false, true));
        for (index, family) in FAMILIES.iter().enumerate() {
            let wider = FAMILIES[..index].iter().find(|wider| family.name.starts_with(wider.name));
            assert!(wider.is_none(), "{} is never reached", family.name);
        }
    }
}
