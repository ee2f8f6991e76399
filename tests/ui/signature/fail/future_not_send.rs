use toolwright::tool;

#[tool]
async fn f() {
    let shared = std::rc::Rc::new(1);
    std::future::ready(()).await;
    drop(shared);
}

fn main() {}
