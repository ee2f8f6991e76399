use std::cell::Cell;

use toolwright::Agent;
use toolwright::model::TestModel;

fn main() {
    let _ = Agent::<Cell<u32>>::builder(TestModel::new());
}
