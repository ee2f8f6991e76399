//! Tools that step aside for others, by kind.

use std::collections::HashMap;

use crate::tool::ToolDefinition;

/// Says of each tool whether it stays; `None`, when all do. One steps aside for a kind as long as some other tool of that
/// kind is kept.
///
/// Hidden tools count like all others. Where tools would step aside for each other in a circle, the one that was listed
/// first is kept (specification: "Superseding a tool by kind").
pub(crate) fn staying(tools: &[ToolDefinition]) -> Option<Vec<bool>> {
    let rivals = rivals(tools)?;
    let mut stays: Vec<Option<bool>> = rivals.iter().map(|rivals| rivals.is_empty().then_some(true)).collect();
    while stays.contains(&None) {
        if !settle(&rivals, &mut stays) {
            pin(first_on_a_cycle(&rivals, &stays), &rivals, &mut stays);
        }
    }
    let mut stays: Vec<bool> = stays.into_iter().map(|stays| stays.unwrap_or(true)).collect();
    while let Some(lost) =
        (0..stays.len()).find(|tool| !stays[*tool] && !rivals[*tool].iter().any(|rival| stays[*rival]))
    {
        stays[lost] = true;
    }
    Some(stays)
}

/// For each tool, those of the kind it steps aside for; `None` when no tool steps aside for another.
fn rivals(tools: &[ToolDefinition]) -> Option<Vec<Vec<usize>>> {
    if tools.iter().all(|tool| tool.unless_tool_kind().is_none()) {
        return None;
    }
    let mut by_kind: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, tool) in tools.iter().enumerate() {
        if let Some(kind) = tool.tool_kind() {
            by_kind.entry(kind).or_default().push(place);
        }
    }
    let of = |(place, tool): (usize, &ToolDefinition)| {
        let named = tool.unless_tool_kind().and_then(|kind| by_kind.get(kind));
        named.into_iter().flatten().copied().filter(|rival| *rival != place).collect()
    };
    Some(tools.iter().enumerate().map(of).collect())
}

/// Decides what follows from what is decided; whether anything did.
fn settle(rivals: &[Vec<usize>], stays: &mut [Option<bool>]) -> bool {
    let mut settled = false;
    for tool in 0..stays.len() {
        if stays[tool].is_some() {
            continue;
        }
        let mut fates = rivals[tool].iter().map(|rival| stays[*rival]);
        let fate = if fates.clone().any(|fate| fate == Some(true)) {
            Some(false)
        } else if fates.all(|fate| fate == Some(false)) {
            Some(true)
        } else {
            None
        };
        settled |= fate.is_some();
        stays[tool] = fate;
    }
    settled
}

fn pin(tool: usize, rivals: &[Vec<usize>], stays: &mut [Option<bool>]) {
    stays[tool] = Some(true);
    for rival in &rivals[tool] {
        stays[*rival].get_or_insert(false);
    }
}

/// The first undecided tool that leads back to itself. One that only leads into a cycle would stay beside a tool it names.
fn first_on_a_cycle(rivals: &[Vec<usize>], stays: &[Option<bool>]) -> usize {
    let undecided = |tool: &usize| stays[*tool].is_none();
    let leads_back = |start: usize| {
        let mut seen = vec![false; stays.len()];
        let mut next: Vec<usize> = rivals[start].iter().copied().filter(undecided).collect();
        while let Some(tool) = next.pop() {
            if tool == start {
                return true;
            }
            if !std::mem::replace(&mut seen[tool], true) {
                next.extend(rivals[tool].iter().copied().filter(undecided));
            }
        }
        false
    };
    let mut open = (0..stays.len()).filter(undecided);
    let first = open.clone().next().unwrap_or_default();
    // Whoever is still open waits for somebody else who is, and there are only so many: somewhere the wait goes in a circle.
    open.find(|tool| leads_back(*tool)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tools as name, kind, and the kind they step aside for.
    fn kept(tools: &[(&str, &str, &str)]) -> String {
        let definitions: Vec<_> = tools
            .iter()
            .map(|(name, kind, unless)| {
                let tool = ToolDefinition::new(*name);
                let tool = if kind.is_empty() { tool } else { tool.with_tool_kind(*kind) };
                if unless.is_empty() { tool } else { tool.with_unless_tool_kind(*unless) }
            })
            .collect();
        let stays = staying(&definitions).unwrap_or_else(|| vec![true; tools.len()]);
        tools.iter().zip(stays).filter(|(_, stays)| *stays).map(|((name, ..), _)| *name).collect()
    }

    #[test]
    fn a_tool_steps_aside_only_for_one_that_stays() {
        assert_eq!(kept(&[("a", "", "x"), ("b", "x", "")]), "b");
        assert_eq!(kept(&[("a", "", "x"), ("b", "x", "y"), ("c", "y", "")]), "ac");
        assert_eq!(kept(&[("a", "x", "x")]), "a");
        assert_eq!(kept(&[("a", "x", "x"), ("b", "x", "")]), "b");
        assert_eq!(kept(&[("a", "", "nobody")]), "a");
    }

    #[test]
    fn in_a_cycle_the_first_on_it_stays() {
        assert_eq!(kept(&[("a", "x", "y"), ("b", "y", "x")]), "a");
        assert_eq!(kept(&[("z", "", "x"), ("a", "x", "y"), ("b", "y", "x")]), "a");
        // Not every rule can be met here: `b` comes back, as the tool it stepped aside for is left out.
        assert_eq!(kept(&[("a", "x", "y"), ("b", "y", "z"), ("c", "z", "x")]), "ab");
    }
}
