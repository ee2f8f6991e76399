//! Tools in modules, taken by one `use`, and where the function's own name would clash.

use toolwright::{Tool, tools};

mod search {
    pub mod web {
        use toolwright::tool;

        /// Search the web.
        #[tool(type = Search)]
        pub fn search(query: super::Query) -> String {
            query.text
        }

        #[tool]
        pub(crate) fn count(numbers: Vec<i64>) -> usize {
            numbers.len()
        }
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub struct Query {
        pub(super) text: String,
    }

    pub use web::Search;
    #[allow(unused_imports)]
    pub use web::search;
}

use search::web::count;

fn main() {
    use search::Search as Found;
    #[toolwright::tool]
    fn local(text: String) -> String {
        text
    }
    let tools: Vec<Tool<()>> = tools![Found, count, local];
    assert_eq!(tools.iter().map(Tool::name).collect::<Vec<_>>(), ["search", "count", "local"]);
    assert_eq!(count(vec![1, 2]), 2);
}
