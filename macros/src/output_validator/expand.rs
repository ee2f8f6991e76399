//! What the compiler is to look at in an output validator.

use crate::hook::{Checks, Hook};

pub(super) fn checks(hook: &Hook) -> Checks {
    let output = hook.others.first().map(|output| (*output.ty).clone());
    Checks {
        taken: None,
        returned: "validated_output",
        returned_for: output,
        future: "output_validator_future",
        owned: "owned_of_two",
    }
}
