use toolwright::tool;

struct Order(u32);

#[tool]
fn f(order: &Order) -> u32 {
    order.0
}

fn main() {}
