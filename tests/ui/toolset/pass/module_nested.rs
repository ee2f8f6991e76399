use toolwright::capability::Bundle;
use toolwright::toolset;
use toolwright::toolset::AnyToolset;

pub struct Db;

#[toolset]
mod bank {
    //! Money.

    use toolwright::{RunContext, tool, toolset};

    pub use self::types::Account;
    use super::Db;

    mod types {
        #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub struct Account {
            number: u32,
        }
    }

    macro_rules! nothing {
        () => {};
    }

    thread_local! {
        static CALLS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    #[tool]
    pub fn balance(ctx: &RunContext<Db>, account: Account) -> Account {
        nothing!();
        let _ = (ctx, CALLS.get());
        account
    }

    #[toolset(id = "bank.loans", vis = pub(crate))]
    pub mod loans {
        use toolwright::tool;

        #[tool]
        fn lend(amount: u32) -> u32 {
            amount
        }
    }

    pub struct Desk;

    #[toolset]
    impl Desk {
        #[tool]
        fn greet(&self) {}
    }
}

fn main() {
    let _: AnyToolset<Db> = bank::toolset();
    let _: Bundle<Db> = bank::capability();
    let _: AnyToolset<()> = bank::loans::toolset();
    let _: Bundle<u8> = bank::loans::capability();
    let _ = bank::Desk.into_toolset::<()>();
    let _: Option<bank::Account> = None;
}
