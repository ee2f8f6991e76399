//! How long a crate of tools takes to build: with this library's macros, with rig's, and with rmcp's.
//!
//!     cargo run --release -p toolwright-tests --bin compile_time -- [RUNS] [TOOLS]...
//!
//! For each library and each number of tools it writes a small crate, builds what that depends on, and then builds the crate alone,
//! from scratch and after a change of one line. It prints medians, and what each tool adds over a crate without any. Nothing
//! else should run meanwhile, and the first time needs a network.

#![expect(clippy::print_stdout, reason = "what it measures is for whoever runs it")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

/// A library whose macros are measured.
struct Library {
    name: &'static str,
    dependencies: fn() -> String,
    source: fn(usize) -> String,
}

const LIBRARIES: [Library; 3] = [
    Library { name: "toolwright", dependencies: toolwright_dependencies, source: toolwright_source },
    Library { name: "rig", dependencies: rig_dependencies, source: rig_source },
    Library { name: "rmcp", dependencies: rmcp_dependencies, source: rmcp_source },
];

/// The word that a change replaces, in the body of the first tool.
const WORDS: [&str; 2] = ["sunny", "rainy"];

fn main() {
    let mut arguments = env::args().skip(1).map(|argument| argument.parse::<usize>().expect("a number"));
    let runs = arguments.next().unwrap_or(11);
    let sizes: Vec<_> = arguments.collect();
    let sizes = if sizes.is_empty() { vec![1, 10, 50, 200] } else { sizes };
    println!("medians of {runs}, in milliseconds; in brackets, what is added over a crate without tools\n");
    println!("| library | tools | from scratch | after one line |");
    println!("|---|---|---|---|");
    for library in &LIBRARIES {
        let empty = Leaf::write(library, 0).measure(runs);
        for size in &sizes {
            let full = Leaf::write(library, *size).measure(runs);
            let cell = |full: Duration, empty: Duration| {
                format!("{} ({:+})", full.as_millis(), full.as_millis() as i128 - empty.as_millis() as i128)
            };
            let (scratch, edited) = (cell(full.scratch, empty.scratch), cell(full.edited, empty.edited));
            println!("| {} | {size} | {scratch} | {edited} |", library.name);
        }
    }
}

/// A crate of tools, on disk.
struct Leaf {
    folder: PathBuf,
    name: String,
    source: String,
}

struct Times {
    scratch: Duration,
    edited: Duration,
}

impl Leaf {
    fn write(library: &Library, size: usize) -> Self {
        let name = format!("leaf-{}-{size}", library.name);
        let folder = root().join("target/compile-time").join(&name);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}",
            (library.dependencies)()
        );
        fs::create_dir_all(folder.join("src")).expect("a folder for the crate");
        fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        Self { folder, name, source: (library.source)(size) }
    }

    fn measure(&self, runs: usize) -> Times {
        self.put(WORDS[0]);
        self.build();
        let scratch = (0..runs).map(|_| {
            self.cargo(&["clean", "-p", &self.name]);
            self.build()
        });
        let scratch = median(scratch.collect());
        let edited = (0..runs).map(|run| {
            self.put(WORDS[(run + 1) % WORDS.len()]);
            self.build()
        });
        Times { scratch, edited: median(edited.collect()) }
    }

    fn put(&self, word: &str) {
        fs::write(self.folder.join("src/lib.rs"), self.source.replace(WORDS[0], word)).expect("a source");
    }

    fn build(&self) -> Duration {
        let start = Instant::now();
        self.cargo(&["build", "--quiet"]);
        start.elapsed()
    }

    fn cargo(&self, arguments: &[&str]) {
        let mut cargo = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
        cargo
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", root().join("target/compile-time/target"));
        let status = cargo.stdout(Stdio::null()).stderr(Stdio::inherit()).status().expect("cargo runs");
        assert!(status.success(), "`cargo {}` failed in {}", arguments.join(" "), self.folder.display());
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

const SERDE: &str = "serde = { version = \"1\", features = [\"derive\"] }\nschemars = \"1.2\"\n";

fn toolwright_dependencies() -> String {
    format!("toolwright = {{ path = {:?} }}\n{SERDE}", root().join("runtime"))
}

fn toolwright_source(size: usize) -> String {
    let mut source = String::from("#![allow(unused_imports)]\nuse toolwright::{Tool, tool, tools};\n");
    for index in 0..size {
        let _ = write!(
            source,
            r#"
/// Look up the weather of place {index}.
#[tool]
pub async fn weather_{index}(
    /// The city, in English.
    city: String,
    /// How many days ahead to look.
    days: u32,
    /// Whether to add the wind.
    wind: Option<bool>,
) -> String {{
    format!("{word} in {{city}} for {{days}} days {{wind:?}}")
}}
"#,
            word = WORDS[0]
        );
    }
    let names: Vec<_> = (0..size).map(|index| format!("weather_{index}")).collect();
    let _ = write!(source, "\npub fn all() -> Vec<Tool<()>> {{\n    tools![{}]\n}}\n", names.join(", "));
    source
}

fn rig_dependencies() -> String {
    format!(
        "rig = {{ version = \"0.44\", default-features = false, features = [\"agent\", \"derive\"] }}\nrig-core = \"0.44\"\n{SERDE}"
    )
}

fn rig_source(size: usize) -> String {
    let mut source = String::from(
        "#![allow(unused_imports)]\nuse rig::agent::tool::ToolSet;\nuse rig::tool::ToolExecutionError;\nuse rig::rig_tool;\n",
    );
    for index in 0..size {
        let _ = write!(
            source,
            r#"
#[rig_tool(
    description = "Look up the weather of place {index}.",
    params(city = "The city, in English.", days = "How many days ahead to look.", wind = "Whether to add the wind.")
)]
pub async fn weather_{index}(city: String, days: u32, wind: Option<bool>) -> Result<String, ToolExecutionError> {{
    Ok(format!("{word} in {{city}} for {{days}} days {{wind:?}}"))
}}
"#,
            word = WORDS[0]
        );
    }
    source.push_str("\npub fn all() -> ToolSet {\n    let mut set = ToolSet::default();\n");
    for index in 0..size {
        let _ = writeln!(source, "    set.add_tool(Weather{index});");
    }
    source.push_str("    set\n}\n");
    source
}

fn rmcp_dependencies() -> String {
    format!("rmcp = \"3.11\"\n{SERDE}")
}

fn rmcp_source(size: usize) -> String {
    let mut source = String::from(
        "#![allow(unused_imports)]\nuse rmcp::handler::server::router::tool::ToolRouter;\nuse rmcp::handler::server::wrapper::Parameters;\n\
         use rmcp::{schemars, tool, tool_router};\n\npub struct Server;\n",
    );
    for index in 0..size {
        let _ = write!(
            source,
            r#"
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Place{index} {{
    /// The city, in English.
    city: String,
    /// How many days ahead to look.
    days: u32,
    /// Whether to add the wind.
    wind: Option<bool>,
}}
"#
        );
    }
    source.push_str("\n#[tool_router(allow_empty)]\nimpl Server {\n");
    for index in 0..size {
        let _ = write!(
            source,
            r#"
    /// Look up the weather of place {index}.
    #[tool]
    pub async fn weather_{index}(&self, Parameters(Place{index} {{ city, days, wind }}): Parameters<Place{index}>) -> String {{
        format!("{word} in {{city}} for {{days}} days {{wind:?}}")
    }}
"#,
            word = WORDS[0]
        );
    }
    source.push_str("}\n\npub fn all() -> ToolRouter<Server> {\n    Server::tool_router()\n}\n");
    source
}
