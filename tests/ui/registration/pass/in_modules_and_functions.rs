use toolwright::model::TestModel;

mod desk {
    #[derive(Default)]
    pub struct Db;

    /// Helps.
    #[toolwright::agent(deps = Db)]
    pub struct Support;
}

mod tools {
    use super::desk;

    #[toolwright::tool(agent = desk::Support)]
    fn r#match(r#type: String) -> String {
        r#type
    }

    #[cfg(any())]
    #[toolwright::tool(agent = desk::Nobody)]
    fn absent() {}
}

fn main() -> toolwright::Result<()> {
    #[toolwright::tool(agent = crate::desk::Support)]
    fn local() {}

    let agent = desk::Support::builder(TestModel::new()).build()?;
    assert!(format!("{:?}", agent.tools()).contains(r#"["local", "match"]"#));
    Ok(())
}
