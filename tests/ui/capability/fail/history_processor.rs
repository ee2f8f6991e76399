//! A history processor that takes something else.

use toolwright::RunContext;
use toolwright::capability::ProcessHistory;

fn newest(_: &RunContext<()>, history: Vec<String>) -> Vec<String> {
    history
}

fn main() {
    let _ = ProcessHistory::<()>::new(newest);
}
