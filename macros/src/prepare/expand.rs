//! What the compiler is to look at in a prepare hook.

use crate::hook::{Checks, Hook};

pub(super) fn checks(_: &Hook) -> Checks {
    Checks {
        taken: Some("tool_list"),
        returned: "prepared_list",
        returned_for: None,
        future: "prepare_future",
        owned: "owned_of_two",
    }
}
