//! The report in words, a line for each tool.

use std::fmt;

use super::{StepReport, ToolEdit, ToolReport};

impl fmt::Display for StepReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = self.tools();
        let offered = tools.iter().filter(|tool| tool.is_offered()).count();
        let s = if tools.len() == 1 { "" } else { "s" };
        write!(f, "step {}: {offered} of {} tool{s} offered", self.step, tools.len())?;
        tools.iter().try_for_each(|tool| write!(f, "\n  {tool}"))?;
        self.notes.iter().try_for_each(|note| write!(f, "\n  note: {note}"))?;
        self.moved.iter().try_for_each(|moved| write!(f, "\n  moved: {moved}"))
    }
}

impl fmt::Display for ToolReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.status)?;
        self.edits.iter().try_for_each(|edit| write!(f, "; {edit}"))
    }
}

impl fmt::Display for ToolEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<_> = self.fields().collect();
        write!(f, "{} changed by {}", fields.join(", "), self.by())
    }
}
