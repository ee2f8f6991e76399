//! The function that is called, whoever calls it.

use serde::{Deserialize, Serialize};

/// The order in which articles are given back.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum Sort {
    #[default]
    Name,
    Price,
}

/// What is asked for.
#[derive(Deserialize)]
pub(crate) struct Search {
    pub(crate) query: String,
    pub(crate) size: u32,
    #[serde(default = "yes")]
    pub(crate) in_stock: bool,
    #[serde(default)]
    pub(crate) sort: Sort,
}

fn yes() -> bool {
    true
}

#[derive(Serialize)]
pub(crate) struct Found {
    articles: Vec<Article>,
    more: bool,
}

#[derive(Serialize)]
struct Article {
    number: u32,
    name: String,
    price: f64,
}

pub(crate) fn search(Search { query, size, in_stock, sort }: Search) -> Found {
    let price = if matches!(sort, Sort::Price) { 49.9 } else { 89.9 };
    let article = |number| Article { number, name: format!("{query}, size {size}"), price };
    Found { articles: vec![article(17), article(4711)], more: !in_stock }
}

pub(crate) fn name_of(place: usize) -> String {
    format!("search_shop_{place}")
}
