use toolwright::tool;

struct Order;

#[tool]
fn f(orders: Vec<Order>) -> usize {
    orders.len()
}

fn main() {}
