//! Servers in the JSON form that many programs share.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::command::McpCommand;
use super::http::McpHttp;
use super::toolset::McpToolset;
use crate::error::{BoxError, Error, Result};

/// Servers in the JSON form that many programs share: an object of them, by name, under `mcpServers`.
///
/// A server has a `command`, with `args`, `env` and `cwd`, or a `url`, with `headers`; one that is `disabled` is left out, and
/// other keys are passed over. `${NAME}` in a text is an environment variable's value, and `${NAME:-else}` that or something
/// else.
///
/// ```
/// use toolwright::mcp::McpConfig;
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, ToolsetExt};
///
/// # fn main() -> toolwright::Result<()> {
/// let config = McpConfig::from_json(r#"{"mcpServers": {
///     "files": {"command": "mcp-server-filesystem", "args": ["${HOME:-/}/notes"]},
///     "web": {"url": "http://localhost:8000/mcp", "headers": {"Authorization": "Bearer ${TOKEN:-none}"}}
/// }}"#)?;
/// let mut agent = Agent::<()>::builder(TestModel::new());
/// for (name, server) in config.toolsets() {
///     agent = agent.toolset(server.prefixed(name));
/// }
/// # let _ = agent.build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct McpConfig {
    servers: Vec<(String, Place)>,
}

#[derive(Clone, Debug)]
enum Place {
    Command(McpCommand),
    Http(McpHttp),
}

#[derive(Deserialize)]
struct Entry {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    disabled: bool,
    r#type: Option<String>,
}

impl McpConfig {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Misuse, when it cannot be read, or is not of the form.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let unread = |error: BoxError| {
            Error::misuse(format!("the MCP servers in `{}` cannot be read: {error}", path.display())).with_source(error)
        };
        let text = fs::read_to_string(path).map_err(|error| unread(error.into()))?;
        Self::from_json(&text).map_err(|error| unread(error.into()))
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// Misuse, when it is not of the form; the error names the server and the field.
    pub fn from_json(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct File {
            #[serde(rename = "mcpServers")]
            servers: Map<String, Value>,
        }
        let file: File = serde_json::from_str(text).map_err(|error| {
            Error::misuse(format!(
                "MCP servers are a JSON object of them under `mcpServers`; it is none from line {}, column {} on",
                error.line(),
                error.column()
            ))
        })?;
        let mut servers = Vec::with_capacity(file.servers.len());
        for (name, entry) in file.servers {
            let entry: Entry = serde_path_to_error::deserialize(entry).map_err(|error| unread(&name, &error))?;
            if !entry.disabled {
                let place = place(&name, entry)?;
                servers.push((name, place));
            }
        }
        Ok(Self { servers })
    }

    /// The servers, in their order, each with its name, which is its id, too.
    pub fn toolsets<D: Send + Sync + 'static>(&self) -> impl Iterator<Item = (String, McpToolset<D>)> {
        self.servers.iter().map(|(name, place)| {
            let toolset = match place {
                Place::Command(command) => McpToolset::stdio(command.clone()),
                Place::Http(http) => McpToolset::http(http.clone()),
            };
            (name.clone(), toolset.with_id(name))
        })
    }
}

/// Tells where an entry does not fit, and what is expected there; what stands there may be secret.
fn unread(name: &str, error: &serde_path_to_error::Error<serde_json::Error>) -> Error {
    let why = error.inner().to_string();
    let expected = why.rsplit_once(", expected ").map_or("something else", |(_, expected)| expected);
    Error::misuse(format!("the MCP server `{name}` cannot be read: `{}` must be {expected}", error.path()))
}

fn place(name: &str, entry: Entry) -> Result<Place> {
    // What comes from the environment may be a key, wherever it is put.
    let mut secrets = Vec::new();
    let mut expand = |field: &str, text: &str| {
        expanded(text, &mut secrets)
            .map_err(|why| Error::misuse(format!("the MCP server `{name}` has a `{field}` {why}")))
    };
    if entry.r#type.as_deref() == Some("sse") {
        return Err(Error::misuse(format!(
            "the MCP server `{name}` is of the type `sse`, which is not spoken; use its URL for streamable HTTP"
        )));
    }
    match (&entry.command, &entry.url) {
        (Some(command), None) => {
            let mut place = McpCommand::new(expand("command", command)?);
            for arg in &entry.args {
                place = place.arg(expand("args", arg)?);
            }
            for (variable, value) in &entry.env {
                place = place.env(variable, expand("env", value)?);
            }
            if let Some(dir) = &entry.cwd {
                place = place.current_dir(expand("cwd", dir)?);
            }
            Ok(Place::Command(place.with_secrets(secrets)))
        }
        (None, Some(url)) => {
            let mut place = McpHttp::new(expand("url", url)?);
            for (header, value) in &entry.headers {
                place = place.header(header, expand("headers", value)?);
            }
            Ok(Place::Http(place.with_secrets(secrets)))
        }
        (Some(_), Some(_)) => {
            Err(Error::misuse(format!("the MCP server `{name}` has a `command` and a `url`; leave out one of them")))
        }
        (None, None) => Err(Error::misuse(format!("the MCP server `{name}` has neither a `command` nor a `url`"))),
    }
}

/// The text with the values of the environment variables that it names, which are added to `values`. What they hold is taken as
/// it is.
fn expanded(text: &str, values: &mut Vec<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else { break };
        out.push_str(before);
        let (name, otherwise) = name.split_once(":-").map_or((name, None), |(name, otherwise)| (name, Some(otherwise)));
        let value = env::var(name).ok().filter(|value| otherwise.is_none() || !value.is_empty());
        match value.as_deref().or(otherwise) {
            Some(value) => out.push_str(value),
            None => return Err(format!("with the environment variable `{name}`, which is not set")),
        }
        values.extend(value);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
