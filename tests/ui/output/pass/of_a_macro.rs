use toolwright::model::TestModel;
use toolwright::{Agent, AgentOutput};

macro_rules! reply {
    ($name:ident { $($variant:ident($ty:ty)),* } else $text:ident) => {
        #[derive(AgentOutput)]
        pub enum $name {
            $(
                #[output(retries = 1)]
                $variant($ty),
            )*
            #[text]
            $text(String),
        }
    };
}

reply!(Reply { Number(u8), Names(Vec<String>) } else Words);

fn main() {
    assert!(Agent::<()>::builder(TestModel::new()).output_of::<Reply>().build().is_ok());
}
