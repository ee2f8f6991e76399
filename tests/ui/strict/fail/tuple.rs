use toolwright::tool;

#[tool(strict)]
fn distance(from: (f64, f64), to: String) -> f64 {
    from.0 + from.1 + to.len() as f64
}

fn main() {}
