use toolwright::message::ToolCallPart;

struct Lookup;

fn read(part: &ToolCallPart) -> bool {
    part.typed::<Lookup>().is_some()
}

fn main() {}
