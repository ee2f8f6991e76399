//! All toolsets of a step together.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::try_join_all;

use super::{AnyToolset, Toolset};
use crate::context::RunContext;
use crate::error::{Error, Result};
use crate::panics::{catch, catch_future};
use crate::tool::{Tool, ToolDefinition};

/// One of the toolsets, with what errors call it.
pub(crate) struct Member<D> {
    pub(crate) toolset: AnyToolset<D>,
    pub(crate) label: Arc<str>,
}

impl<D: Send + Sync + 'static> Member<D> {
    /// The toolset's revision; none where it fails to say.
    pub(crate) fn revision(&self) -> Option<u64> {
        catch(|| self.toolset.revision()).ok().flatten()
    }
}

impl<D> Clone for Member<D> {
    fn clone(&self) -> Self {
        Self { toolset: self.toolset.clone(), label: self.label.clone() }
    }
}

/// The tools of all toolsets, in the order of the toolsets, and where they are by name.
///
/// The toolsets are asked at once. `before` is what the step before came to: names that are all the same are not looked
/// at again.
pub(crate) async fn combine<D: Send + Sync + 'static>(
    ctx: &RunContext<D>,
    members: &[Member<D>],
    before: Option<&Arc<NameIndex>>,
) -> Result<(Vec<Tool<D>>, Arc<NameIndex>)> {
    if let [member] = members {
        let tools = ask(0, member, ctx).await?;
        let index = index(&tools, &[(tools.len(), member)], before)?;
        return Ok((tools, index));
    }
    let lists = try_join_all(members.iter().enumerate().map(|(place, member)| ask(place, member, ctx))).await?;
    let mut ends = Vec::with_capacity(members.len());
    let mut tools = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    for (list, member) in lists.into_iter().zip(members) {
        tools.extend(list);
        ends.push((tools.len(), member));
    }
    let index = index(&tools, &ends, before)?;
    Ok((tools, index))
}

async fn ask<D: Send + Sync + 'static>(place: usize, member: &Member<D>, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
    let ctx = ctx.for_toolset(place, member.label.clone());
    let panicked = |panic| Error::tool(format!("{} failed", member.label), panic);
    catch_future(member.toolset.tools(&ctx)).await.map_err(panicked)?
}

fn index<D: Send + Sync + 'static>(
    tools: &[Tool<D>],
    ends: &[(usize, &Member<D>)],
    before: Option<&Arc<NameIndex>>,
) -> Result<Arc<NameIndex>> {
    let definitions = || tools.iter().map(Tool::definition);
    if let Some(before) = before
        && before.fits(definitions())
    {
        return Ok(before.clone());
    }
    let owner = |place: usize| ends.iter().find(|(end, _)| place < *end).map(|(_, member)| *member);
    NameIndex::new(definitions())
        .map(Arc::new)
        .map_err(|clash| clash_error(&clash, owner(clash.first), owner(clash.second)))
}

fn clash_error<D: Send + Sync + 'static>(
    clash: &Clash,
    first: Option<&Member<D>>,
    second: Option<&Member<D>>,
) -> Error {
    let label = |member: Option<&Member<D>>| member.map_or_else(Arc::default, |member| member.label.clone());
    let hint = second.map_or("", |member| member.toolset.clash_hint());
    let alone = matches!((first, second), (Some(first), Some(second)) if std::ptr::eq(first, second));
    let (first, second) = (label(first), label(second));
    let name = &clash.name;
    Error::misuse(if alone {
        format!("{first} has two tools named `{name}`; {hint}")
    } else {
        format!("{second} has a tool named `{name}`, and so has {first}; {hint}")
    })
}

/// Where each tool is, by its name.
#[derive(Debug, Default)]
pub(crate) struct NameIndex {
    places: HashMap<Arc<str>, usize>,
    names: Vec<Arc<str>>,
}

/// Two tools of one name.
pub(crate) struct Clash {
    pub(crate) name: Arc<str>,
    pub(super) first: usize,
    pub(super) second: usize,
}

impl NameIndex {
    pub(crate) fn new<'a>(definitions: impl Iterator<Item = &'a ToolDefinition>) -> Result<Self, Clash> {
        let names: Vec<_> = definitions.map(ToolDefinition::shared_name).collect();
        let mut places = HashMap::with_capacity(names.len());
        for (place, name) in names.iter().enumerate() {
            if let Some(first) = places.insert(name.clone(), place) {
                return Err(Clash { name: name.clone(), first, second: place });
            }
        }
        Ok(Self { places, names })
    }

    /// Whether the definitions have these very names, in this order.
    pub(crate) fn fits<'a>(&self, definitions: impl ExactSizeIterator<Item = &'a ToolDefinition>) -> bool {
        definitions.len() == self.names.len()
            && definitions.zip(&self.names).all(|(definition, name)| definition.has_name(name))
    }

    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}
