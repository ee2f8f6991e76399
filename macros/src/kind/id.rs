//! The ids of kinds: `namespace.name`.

/// The kinds of the library's own tools, which are older than namespaces.
const OWN: [&str; 2] = ["tool-search", "capability-load"];

/// What is wrong with an id of a kind of one's own, and the way out; nothing if it is right.
pub(crate) fn fault(id: &str) -> Option<String> {
    if !id.contains('.') {
        let name = if id.trim().is_empty() { "name" } else { id };
        return Some(format!("a kind's id has a namespace and a name: `\"namespace.{name}\"`"));
    }
    let empty = id.split('.').any(|part| part.trim().is_empty());
    empty.then(|| "a kind's id has words between its dots, and around them: `\"namespace.name\"`".to_owned())
}

/// The same for an id that only names a kind, which may be one of the library's own.
pub(crate) fn fault_of_name(id: &str) -> Option<String> {
    if OWN.contains(&id) { None } else { fault(id) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_namespace_and_a_name() {
        assert_eq!(fault("inventory.lookup"), None);
        assert_eq!(fault("com.example.inventory.lookup"), None);
        for wrong in ["", " ", "lookup", ".lookup", "inventory.", "a..b", ".", "a. "] {
            assert!(fault(wrong).is_some(), "{wrong:?}");
        }
        assert!(fault("tool-search").is_some() && fault_of_name("tool-search").is_none());
        assert!(fault_of_name("lookup").is_some());
    }
}
