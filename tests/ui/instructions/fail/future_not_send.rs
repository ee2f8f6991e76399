use toolwright::{RunContext, instructions};

#[instructions]
async fn rules(_ctx: RunContext<()>) -> String {
    let kept = std::rc::Rc::new(());
    std::future::ready(()).await;
    drop(kept);
    String::new()
}

fn main() {}
