use toolwright::tool;

#[derive(serde::Deserialize)]
struct Order {
    number: u32,
}

#[tool]
fn f(order: Order) -> u32 {
    order.number
}

fn main() {}
