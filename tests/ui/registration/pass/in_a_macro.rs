use toolwright::model::TestModel;
use toolwright::{agent, tool};

#[agent]
struct Support;

macro_rules! numbers {
    ($agent:ty, $order:expr, $($name:ident)*) => {$(
        #[tool(agent = $agent, order = $order)]
        fn $name(value: u8) -> u8 {
            value
        }
    )*};
}

numbers!(Support, 1, two one);

fn main() -> toolwright::Result<()> {
    let agent = Support::builder(TestModel::new()).build()?;
    assert!(format!("{:?}", agent.tools()).contains(r#"["one", "two"]"#), "by name, where the place is one");
    Ok(())
}
