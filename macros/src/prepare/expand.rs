//! What the compiler is to look at in a prepare hook.

use crate::hook::{Checks, Hook};

pub(super) fn checks(_: &Hook) -> Checks {
    Checks { taken: Some("tool_list"), returned: "prepared_list", future: "prepare_future" }
}
