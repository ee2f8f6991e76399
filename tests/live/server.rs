//! What the servers have in common: how they are found, started, asked and ended.

use std::env;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::aimock::Aimock;
use crate::katan::Katan;
use crate::llmock::Llmock;
use crate::mcp::McpServers;

/// How long starting may take.
const START: Duration = Duration::from_secs(60);

/// A server that nobody here wrote, while it runs.
pub(crate) trait Server: Clone + Send + Sync + 'static {
    /// What to install, and how it is found.
    const NEEDED: &'static str;

    /// This one of the servers, where it is installed.
    fn of(servers: &Servers) -> Option<&Self>;

    /// Forgets requests, and what it was told.
    fn reset(&self) -> impl Future<Output = ()> + Send;
}

/// Those of the servers that are installed here.
pub(crate) struct Servers {
    pub(crate) llmock: Option<Llmock>,
    pub(crate) aimock: Option<Aimock>,
    pub(crate) katan: Option<Katan>,
    pub(crate) mcp: Option<McpServers>,
    _processes: Vec<Process>,
}

impl Servers {
    /// Starts them, and waits until they answer.
    pub(crate) fn start() -> Self {
        let (llmock, first) = Llmock::executable().map(|file| Llmock::start(&file)).unzip();
        let (aimock, second) = Aimock::executable().map(|file| Aimock::start(&file)).unzip();
        let (katan, third) = Katan::executable().map(|file| Katan::start(&file)).unzip();
        let mcp = McpServers::find();
        Self { llmock, aimock, katan, mcp, _processes: first.into_iter().chain(second).chain(third).collect() }
    }
}

/// Ends a server when the tests end, however they do.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // Where it has ended by itself, there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts a server, which `arguments` tell its port, and waits until it answers. Gives its URL too, with no path.
    pub(crate) fn start(executable: &Path, arguments: impl FnOnce(&mut Command, String)) -> (String, Self) {
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
        let address = free.expect("a free port on loopback");
        let mut server = Command::new(executable);
        arguments(&mut server, address.port().to_string());
        let server = server.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let mut process = Self(server.unwrap_or_else(|error| unreachable!("{}: {error}", executable.display())));
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = process.0.try_wait().expect("the state of a child");
            assert!(ended.is_none() && begun.elapsed() < START, "{} does not start: {ended:?}", executable.display());
            sleep(Duration::from_millis(50));
        }
        (format!("http://{address}"), process)
    }
}

/// Where an executable is: where the environment variable says, else the first of these files that there is.
pub(crate) fn find(variable: &str, mut files: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).or_else(|| files.find(|file| file.is_file()))
}

/// What a server answers to something else than a chat.
pub(crate) async fn ask(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.expect("an answer of the server");
    let status = response.status();
    let text = response.text().await.expect("a whole answer");
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).expect("JSON")
}
