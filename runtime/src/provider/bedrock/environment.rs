//! Where AWS tools say who one is and where: in variables of the process, and in files.

use std::path::PathBuf;

use super::profile_file::{ProfileSettings, heads_in_config};

/// The variables of a process.
pub(super) struct Environment<'e>(&'e dyn Fn(&str) -> Option<String>);

impl<'e> Environment<'e> {
    /// One whose variables `read` gives.
    #[cfg(test)]
    pub(super) fn of(read: &'e dyn Fn(&str) -> Option<String>) -> Self {
        Self(read)
    }

    /// The process's own.
    pub(super) fn process() -> Self {
        Self(&|name| std::env::var(name).ok())
    }

    /// What a variable says, if it says something.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        (self.0)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// The first of these variables that says something.
    pub(super) fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.get(name))
    }

    /// The name of the profile that counts where none is named.
    pub(super) fn profile_name(&self) -> String {
        self.get("AWS_PROFILE").unwrap_or_else(|| "default".to_owned())
    }

    /// What the files say of a profile; those for credentials count more. What cannot be read says nothing.
    pub(super) fn profile(&self, name: &str) -> ProfileSettings {
        let text = |variable, file| self.file(variable, file).and_then(|path| std::fs::read_to_string(path).ok());
        let mut settings = ProfileSettings::default();
        settings.read(&text("AWS_CONFIG_FILE", "config").unwrap_or_default(), |heading| heads_in_config(heading, name));
        let credentials = text("AWS_SHARED_CREDENTIALS_FILE", "credentials").unwrap_or_default();
        settings.read(&credentials, |heading| heading == name);
        settings
    }

    fn file(&self, variable: &str, name: &str) -> Option<PathBuf> {
        let home = || self.first(&["HOME", "USERPROFILE"]).map(PathBuf::from);
        match self.get(variable).map(PathBuf::from) {
            Some(path) => match path.strip_prefix("~") {
                Ok(below) => Some(home()?.join(below)),
                Err(_) => Some(path),
            },
            None => Some(home()?.join(".aws").join(name)),
        }
    }
}
