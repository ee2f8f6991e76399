use toolwright::instructions;

struct Rules;

impl Rules {
    #[instructions]
    fn text(&self) -> String {
        String::new()
    }
}

fn main() {}
