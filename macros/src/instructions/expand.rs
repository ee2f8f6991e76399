//! What the compiler is to look at in a function that gives instructions.

use crate::hook::{Checks, Hook};

pub(super) fn checks(hook: &Hook) -> Checks {
    let future = if hook.contexts.is_empty() { "bare_instructions_future" } else { "instructions_future" };
    Checks { taken: None, returned: "instructions", returned_for: None, future, owned: "owned_of_one" }
}
