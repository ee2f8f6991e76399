use toolwright::Agent;
use toolwright::model::TestModel;

enum Reply {
    Number(u8),
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output_of::<Reply>();
}
