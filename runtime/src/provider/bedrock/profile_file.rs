//! The files in which AWS tools keep named profiles: `~/.aws/config` and `~/.aws/credentials`.

use std::collections::HashMap;

/// The settings of a profile, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProfileSettings(HashMap<String, String>);

impl ProfileSettings {
    /// A setting, if it says something.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds those of a profile in the text of a file, over what is there; `is_heading` says whether a section is the
    /// profile's.
    pub(super) fn read(&mut self, text: &str, is_heading: impl Fn(&str) -> bool) {
        let mut is_within = false;
        for line in text.lines() {
            let trimmed = line.trim();
            // What is set in belongs to a setting that is a group of its own, which none of ours is.
            if trimmed.is_empty() || trimmed.starts_with(['#', ';']) || line.starts_with([' ', '\t']) {
                continue;
            }
            if let Some(heading) = trimmed.strip_prefix('[') {
                is_within = is_heading(heading.split(']').next().unwrap_or_default().trim());
            } else if let Some((name, value)) = trimmed.split_once('=').filter(|_| is_within) {
                let value = [" #", " ;", "\t#", "\t;"]
                    .iter()
                    .fold(value, |value, mark| value.split(mark).next().unwrap_or(value));
                self.0.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
            }
        }
    }
}

/// Whether this heads a profile in `~/.aws/config`.
pub(super) fn heads_in_config(heading: &str, profile: &str) -> bool {
    let named = heading.strip_prefix("profile").filter(|name| name.starts_with([' ', '\t'])).map(str::trim);
    named.map_or(heading == "default" && profile == "default", |name| name.trim_matches('"') == profile)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "\
# comment
[default]
region = eu-west-1
s3 =
  max_concurrent_requests = 20
  region = nowhere
[profile work]
REGION=us-east-2 # the second
role_arn =
 ; comment
[sso-session work]
region = sso
[profile \"two words\"]
region = ap-south-1
not a setting
[broken
region = x
";

    fn settings(profile: &str) -> ProfileSettings {
        let mut settings = ProfileSettings::default();
        settings.read(CONFIG, |heading| heads_in_config(heading, profile));
        settings
    }

    #[test]
    fn settings_are_those_of_the_profile() {
        for (profile, region) in [("default", "eu-west-1"), ("work", "us-east-2"), ("two words", "ap-south-1")] {
            assert_eq!(settings(profile).get("region"), Some(region), "{profile}");
        }
        assert_eq!(
            (settings("work").get("role_arn"), settings("default").get("max_concurrent_requests")),
            (None, None)
        );
        assert!(settings("nobody").is_empty() && settings("broken").is_empty());
    }

    #[test]
    fn what_is_read_later_counts() {
        let mut settings = settings("default");
        settings.read("[other]\nregion = a\n[default]\nregion = b\r\nx = c", |heading| heading == "default");
        assert_eq!((settings.get("region"), settings.get("x")), (Some("b"), Some("c")));
    }
}
