//! Tools that a `macro_rules!` makes, with names, types and bodies of the caller's.

use toolwright::{Tool, tool, tools};

macro_rules! lookups {
    ($($(#[$attribute:meta])* $name:ident($argument:ident: $ty:ty) -> $returned:ty { $body:expr })*) => {
        $(
            $(#[$attribute])*
            #[tool(retries = 2)]
            async fn $name($argument: $ty, limit: Option<u32>) -> $returned {
                let _ = limit;
                $body
            }
        )*

        fn all() -> Vec<Tool<()>> {
            tools![$($name),*]
        }
    };
}

lookups! {
    /// By name.
    by_name(name: String) -> usize { name.len() }
    /// By number.
    by_number(number: u64) -> Result<u64, std::num::TryFromIntError> { u8::try_from(number).map(u64::from) }
}

fn main() {
    let tools = all();
    assert_eq!(tools.iter().map(Tool::name).collect::<Vec<_>>(), ["by_name", "by_number"]);
    assert_eq!(tools[1].definition().description(), Some("By number."));
}
