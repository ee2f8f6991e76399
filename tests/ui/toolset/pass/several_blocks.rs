use std::sync::Arc;

use toolwright::{Agent, model::TestModel, tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn find(&self) {}
}

#[toolset(name = admin_toolset, id = "admin", vis = pub(crate))]
impl Store {
    #[tool]
    fn wipe(&self) {}
}

impl Store {
    fn untouched(&self) {}
}

fn main() {
    let store = Arc::new(Store);
    store.untouched();
    store.find();
    store.wipe();
    let agent = Agent::<()>::builder(TestModel::new()).toolset(store.toolset()).toolset(Store.into_admin_toolset());
    agent.build().expect("an agent");
}
