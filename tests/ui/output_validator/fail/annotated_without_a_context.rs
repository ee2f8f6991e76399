use toolwright::output_validator;

#[output_validator]
fn checked(text: String) -> String {
    text
}

fn main() {}
