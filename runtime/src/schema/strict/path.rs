//! Where in a schema something is, to say so.

use std::fmt;

/// Where in a schema a node stands.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    name: &'p str,
    pub(super) depth: usize,
    /// The objects around the node, each definition counted for itself.
    pub(super) objects: usize,
}

impl<'p> Path<'p> {
    pub(super) fn root() -> Self {
        Self { parent: None, name: "", depth: 0, objects: 0 }
    }

    pub(super) fn is_root(&self) -> bool {
        self.parent.is_none()
    }

    pub(super) fn below(&'p self, name: &'p str) -> Self {
        Self { parent: Some(self), name, depth: self.depth + 1, objects: self.objects }
    }

    pub(super) fn property(&'p self, name: &'p str) -> Self {
        Self { objects: self.objects + 1, ..self.below(name) }
    }

    pub(super) fn definition(&'p self, name: &'p str) -> Self {
        Self { objects: 0, ..self.below(name) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Vec::new();
        let mut node = self;
        while let Some(parent) = node.parent {
            names.push(node.name);
            node = parent;
        }
        if names.is_empty() {
            return f.write_str("the schema");
        }
        names.reverse();
        write!(f, "`{}`", names.join("."))
    }
}
