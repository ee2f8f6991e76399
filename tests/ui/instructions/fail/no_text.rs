use toolwright::capability::Bundle;

fn number() -> u8 {
    1
}

fn main() {
    let _ = Bundle::<()>::new().instructions_fn(number);
}
