//! Searches for hidden tools.

use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, ToolDefinition, tool};

/// Does nothing.
#[tool]
async fn nothing() {}

/// A run whose model searches so many hidden tools, so many times.
pub(crate) struct Searching(Agent<()>);

impl Searching {
    pub(crate) fn new(tools: usize, searches: usize) -> Self {
        let model = FunctionModel::new(move |input: &ModelInput| {
            let asked = input.history.len() / 2;
            if asked >= searches {
                return ModelResponse::text("done");
            }
            let queries = [format!("subject {asked} invoices"), "refund a late order".to_owned()];
            let call = ToolCallPart::new("search_tools", json!({"queries": queries})).with_id(format!("call_{asked}"));
            ModelResponse::new(vec![ResponsePart::ToolCall(call)])
        });
        let hidden = (0..tools).map(|place| {
            let (deed, thing) = (DEEDS[place % DEEDS.len()], THINGS[place / DEEDS.len() % THINGS.len()]);
            let description = format!("{deed} {thing} of subject {place}, with all that belongs to it.");
            toolwright::Tool::typed::<nothing>().with_name(format!("{deed}_{thing}_{place}")).map_definition(
                |definition: ToolDefinition| definition.with_description(description).with_defer_loading(true),
            )
        });
        Self(Agent::<()>::builder(model).tools(hidden).build().expect("an agent"))
    }

    pub(crate) fn go(&self) {
        let result = self.0.run("Find it.").run_blocking().expect("an output");
        assert_eq!(result.output(), "done");
    }
}

const DEEDS: [&str; 8] = ["find", "list", "create", "change", "delete", "refund", "send", "archive"];
const THINGS: [&str; 8] = ["orders", "invoices", "customers", "tickets", "reports", "files", "payments", "notes"];
