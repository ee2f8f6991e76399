//! What the ids of models say.
//!
//! A model is asked for by its own id, `anthropic.claude-sonnet-4-5-20250929-v1:0`, by that of an inference profile, which has
//! where it runs before it (`us.`, `eu.`, `global.`), or by the ARN of either, or of something that only the account knows.

/// Where an inference profile may run.
const PLACES: [&str; 9] = ["us", "eu", "apac", "jp", "au", "ca", "in", "global", "us-gov"];

/// What an id says of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModelId<'a> {
    /// Who made the model, such as `anthropic`; empty where the id does not say.
    pub(super) maker: &'a str,
    /// The maker's name for it, without a version.
    pub(super) name: &'a str,
    /// The region that an ARN names.
    pub(super) region: Option<&'a str>,
}

impl<'a> ModelId<'a> {
    pub(super) fn of(id: &'a str) -> Self {
        let (region, id) = match id.strip_prefix("arn:").map(|arn| arn.splitn(5, ':').collect::<Vec<_>>()).as_deref() {
            Some([_, "bedrock", region, _, resource]) => {
                (Some(*region).filter(|region| !region.is_empty()), named(resource).unwrap_or_default())
            }
            _ => (None, id),
        };
        let within = PLACES.iter().find_map(|place| id.strip_prefix(place)?.strip_prefix('.')).unwrap_or(id);
        match within.split_once('.') {
            Some((maker, name)) => Self { maker, name: unversioned(name), region },
            None => Self { maker: "", name: id, region },
        }
    }
}

/// The model's id in what an ARN is of, if that is one.
fn named(resource: &str) -> Option<&str> {
    resource.strip_prefix("inference-profile/").or_else(|| resource.strip_prefix("foundation-model/"))
}

/// A name without the version of it at Bedrock: `-v1`, or `-v1:0`.
fn unversioned(name: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = |version: &str| match version.split_once(':') {
        Some((major, minor)) => is_number(major) && is_number(minor),
        None => is_number(version),
    };
    name.rsplit_once("-v").filter(|(_, version)| is_version(version)).map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_tell_makers_and_names() {
        let arn = "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-opus-4-8";
        for (id, maker, name, region) in [
            ("anthropic.claude-haiku-4-5-20251001-v1:0", "anthropic", "claude-haiku-4-5-20251001", None),
            ("us.amazon.nova-pro-v1:0", "amazon", "nova-pro", None),
            ("us-gov.anthropic.claude-3-7-sonnet-v2", "anthropic", "claude-3-7-sonnet", None),
            ("global.openai.gpt-6.1-sol", "openai", "gpt-6.1-sol", None),
            ("deepseek.v3.2", "deepseek", "v3.2", None),
            ("openai.gpt-oss-20b-1:0", "openai", "gpt-oss-20b-1:0", None),
            (arn, "anthropic", "claude-opus-4-8", Some("eu-west-1")),
            ("arn:aws:bedrock:us-east-1::foundation-model/meta.llama4-v1:0", "meta", "llama4", Some("us-east-1")),
            ("arn:aws:bedrock:us-east-1:1:application-inference-profile/a.b", "", "", Some("us-east-1")),
            ("arn:aws:bedrock:::foundation-model/cohere.command", "cohere", "command", None),
            ("arn:aws", "", "arn:aws", None),
            ("claude", "", "claude", None),
            ("", "", "", None),
        ] {
            assert_eq!(ModelId::of(id), ModelId { maker, name, region }, "{id}");
        }
    }
}
