use toolwright::{RunContext, tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool(args_validator = Self::checked)]
    fn find(&self, sku: String) {
        let _ = sku;
    }

    fn checked(_: &RunContext<()>, _: &u8) {}
}

fn main() {}
