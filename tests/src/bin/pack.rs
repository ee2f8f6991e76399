//! Packs a tree of conformance cases into the workspace's own copy: `pack CASES`.

use std::io::{self, Write};
use std::path::Path;

use toolwright_tests::{Suite, pack};

fn main() -> io::Result<()> {
    let Some(cases) = std::env::args_os().nth(1) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: pack CASES"));
    };
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let packed = pack(&Suite::load(Path::new(&cases))?, &target)?;
    writeln!(io::stdout(), "{packed} cases packed")
}
