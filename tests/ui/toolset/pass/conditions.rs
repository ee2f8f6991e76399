#![deny(warnings)]

use toolwright::{FunctionToolset, tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[cfg(all())]
    #[tool]
    fn find(&self) -> u8 {
        1
    }

    #[cfg(not(all()))]
    #[tool]
    fn find(&self, absent: Absent) -> Missing {}

    #[tool]
    #[cfg(not(all()))]
    fn absent(&self, #[arg(default = Absent)] absent: Absent) {}
}

#[toolset(name = absent)]
#[cfg(not(all()))]
impl Absent {
    #[tool]
    fn find(&self) {}
}

fn main() {
    Store.find();
    let _: FunctionToolset<()> = Store.into_toolset();
}
