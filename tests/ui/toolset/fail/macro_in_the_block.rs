#![allow(unused_imports, unused_macros)]

use toolwright::{tool, toolset};

struct Store;

macro_rules! make_tools {
    () => {
        #[tool]
        fn find(&self) {}
    };
}

#[toolset]
impl Store {
    make_tools!();
}

fn main() {}
