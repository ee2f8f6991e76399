use toolwright::message::ToolCallPart;

struct Lookup;

fn main() {
    let _ = ToolCallPart::typed::<Lookup>;
}
