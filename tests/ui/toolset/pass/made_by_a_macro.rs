use toolwright::{FunctionToolset, tool, toolset};

macro_rules! store {
    ($store:ident, $key:ty, $find:ident, $limit:expr) => {
        struct $store;

        #[toolset]
        impl $store {
            #[tool(retries = $limit)]
            fn $find(&self, key: $key, #[arg(default = $limit)] limit: u32) -> $key {
                let _ = limit;
                key
            }
        }
    };
}

store!(Numbers, u64, number, 1 + 2);
store!(Names, Option<String>, name, 3);

fn main() {
    let _: FunctionToolset<()> = Numbers.into_toolset();
    let _: FunctionToolset<()> = Names.into_toolset();
}
