//! A capability for other dependencies than the agent's.

use toolwright::Agent;
use toolwright::capability::Capability;
use toolwright::model::TestModel;

struct Audit;

impl Capability<u64> for Audit {}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).capability(Audit).build();
}
