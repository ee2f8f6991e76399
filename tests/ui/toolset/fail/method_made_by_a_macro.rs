use toolwright::tool;

struct Store;

macro_rules! make_tools {
    ($receiver:ident) => {
        #[tool]
        fn find(&$receiver) {}
    };
}

impl Store {
    make_tools!(self);
}

fn main() {}
