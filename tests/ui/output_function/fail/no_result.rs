use toolwright::OutputSpec;

fn double(number: u32) -> u32 {
    number * 2
}

fn main() {
    let _ = OutputSpec::function(double);
}
