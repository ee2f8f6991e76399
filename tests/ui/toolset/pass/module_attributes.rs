#![deny(warnings)]

use toolwright::capability::Bundle;
use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::{RunContext, ToolDefinition, ToolFailed, instructions, prepare_tools, tool};

    type Ctx = RunContext<u8>;

    /// Only instructions know the dependencies.
    #[tool]
    pub fn balance() -> u32 {
        0
    }

    #[instructions]
    pub fn rules(#[ctx] ctx: &Ctx) -> Result<Option<&'static str>, ToolFailed> {
        Ok((*ctx.deps() > 1).then_some("Be quick."))
    }

    #[toolwright::instructions]
    async fn manners() -> String {
        "Be polite.".to_owned()
    }

    #[prepare_tools]
    fn shown(#[ctx] _: &Ctx, tools: Vec<ToolDefinition>) -> Result<Option<Vec<ToolDefinition>>, ToolFailed> {
        Ok(Some(tools))
    }
}

#[toolset]
mod manners {
    use toolwright::instructions;

    #[instructions]
    fn polite() -> &'static str {
        "Be polite."
    }
}

fn main() {
    let _: Bundle<u8> = bank::capability();
    let _: Bundle<()> = manners::capability();
    assert_eq!(bank::balance(), 0);
    assert!(bank::rules(&toolwright::RunContext::detached(1)).is_ok());
}
