use toolwright::capability::Bundle;
use toolwright::{RunContext, instructions};

type Ctx = RunContext<u8>;

#[instructions]
fn by_reference(ctx: &RunContext<u8>) -> String {
    ctx.deps().to_string()
}

#[instructions]
fn by_value(#[ctx] ctx: Ctx) -> Option<String> {
    Some(ctx.deps().to_string())
}

#[instructions]
async fn later(ctx: RunContext<u8>) -> Result<Option<String>, std::io::Error> {
    Ok(Some(ctx.deps().to_string()))
}

#[instructions]
fn constant() -> &'static str {
    "Be brief."
}

#[instructions]
async fn from_elsewhere() -> Option<&'static str> {
    None
}

#[instructions]
fn generic<D: Send + Sync + 'static>(_: &RunContext<D>) -> Result<&'static str, String> {
    Ok("")
}

fn main() {
    let _ = Bundle::<u8>::new()
        .instructions_fn(by_reference)
        .instructions_fn(by_value)
        .instructions_fn(later)
        .instructions_fn(constant)
        .instructions_fn(from_elsewhere)
        .instructions_fn(generic)
        .instructions_fn(|ctx: &RunContext<u8>| ctx.deps().to_string())
        .instructions_fn(|| "Always.");
}
