//! Where a model is asked.

use super::environment::Environment;
use super::model_id::ModelId;
use super::profile_file::ProfileSettings;
use crate::error::{Error, Result};

/// The variables that may say where the API is.
const URL_VARIABLES: [&str; 2] = ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "AWS_ENDPOINT_URL"];

/// The region: what is `said`, what the environment or a profile says, or what the model's ARN does.
///
/// # Errors
///
/// Misuse, when a region is named that none can be called.
pub(super) fn region(
    said: Option<&str>,
    environment: &Environment<'_>,
    settings: &ProfileSettings,
    model: &str,
) -> Result<Option<String>> {
    let region = said
        .map(str::to_owned)
        .or_else(|| environment.first(&["AWS_REGION", "AWS_DEFAULT_REGION"]))
        .or_else(|| settings.get("region").map(str::to_owned))
        .or_else(|| ModelId::of(model).region.map(str::to_owned));
    match region {
        Some(region)
            if region.is_empty() || !region.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') =>
        {
            Err(Error::misuse(format!("{region:?} is no AWS region; one is called as `us-east-1` is")))
        }
        region => Ok(region),
    }
}

/// The error for a model that is nowhere.
pub(super) fn nowhere() -> Error {
    Error::misuse(
        "no AWS region: set AWS_REGION, or `region` in an AWS profile, or give one with `BedrockModel::builder(…).region(…)`",
    )
}

/// Where the environment or a profile says that the API is, if they do.
pub(super) fn other_url(environment: &Environment<'_>, settings: &ProfileSettings) -> Option<String> {
    environment.first(&URL_VARIABLES).or_else(|| settings.get("endpoint_url").map(str::to_owned))
}

/// Where the API of a region is.
pub(super) fn url_of(region: &str) -> String {
    let domain = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
    format!("https://bedrock-runtime.{region}.{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_counts() {
        let mut settings = ProfileSettings::default();
        let arn = "arn:aws:bedrock:eu-west-3:1:inference-profile/eu.anthropic.claude-opus-4-8";
        let nothing = |_: &str| None;
        let of = |said, read: &dyn Fn(&str) -> Option<String>, settings: &ProfileSettings| {
            region(said, &Environment::of(read), settings, arn).expect("a region")
        };
        assert_eq!(of(None, &nothing, &settings).as_deref(), Some("eu-west-3"));
        settings.read("[x]\nregion = eu-west-2", |_| true);
        assert_eq!(of(None, &nothing, &settings).as_deref(), Some("eu-west-2"));
        let older = |name: &str| (name == "AWS_DEFAULT_REGION").then(|| "us-west-2".to_owned());
        assert_eq!(of(None, &older, &settings).as_deref(), Some("us-west-2"));
        let both = |name: &str| (name == "AWS_REGION").then(|| "us-east-1".to_owned()).or_else(|| older(name));
        assert_eq!(of(None, &both, &settings).as_deref(), Some("us-east-1"));
        assert_eq!(of(Some("ca-central-1"), &both, &settings).as_deref(), Some("ca-central-1"));
        let none = region(None, &Environment::of(&nothing), &ProfileSettings::default(), "amazon.nova-pro-v1:0");
        assert_eq!(none.expect("no region"), None);
        for odd in ["", "us east", "evil.example/"] {
            assert!(region(Some(odd), &Environment::of(&nothing), &settings, arn).is_err(), "{odd}");
        }
        assert_eq!(url_of("cn-north-1"), "https://bedrock-runtime.cn-north-1.amazonaws.com.cn");
    }
}
