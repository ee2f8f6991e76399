//! Ranking by shared words.

use std::collections::{HashMap, HashSet};

use crate::tool::ToolDefinition;

/// Which tools have which words, in name or description.
pub(super) struct KeywordIndex(HashMap<String, Vec<usize>>);

impl KeywordIndex {
    pub(super) fn new(tools: &[ToolDefinition]) -> Self {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, tool) in tools.iter().enumerate() {
            let own: HashSet<_> = words(tool.name()).chain(words(tool.description().unwrap_or_default())).collect();
            for word in own {
                places.entry(word).or_default().push(place);
            }
        }
        Self(places)
    }

    /// The tools that share words with the queries: new ones before known ones, then by how many words, then in order.
    /// `None` when the queries have no words.
    pub(super) fn search(&self, queries: &[String], most: usize, known: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let wanted: HashSet<_> = queries.iter().flat_map(|query| words(query)).collect();
        if wanted.is_empty() {
            return None;
        }
        let mut scores: HashMap<usize, usize> = HashMap::new();
        for place in wanted.iter().filter_map(|word| self.0.get(word)).flatten() {
            *scores.entry(*place).or_default() += 1;
        }
        let mut ranked: Vec<_> =
            scores.into_iter().map(|(place, score)| (known(place), std::cmp::Reverse(score), place)).collect();
        if ranked.len() > most {
            // Ten of ten thousand: only the best are put in order.
            ranked.select_nth_unstable(most);
            ranked.truncate(most);
        }
        ranked.sort_unstable();
        Some(ranked.into_iter().map(|(.., place)| place).collect())
    }
}

/// Runs of letters and digits, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let word = |c: char| !c.is_alphanumeric();
    text.split(word).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(queries: &[&str], most: usize, known: &[usize]) -> Option<Vec<usize>> {
        let tools = [
            ToolDefinition::new("github_get_me").with_description("The user's profile."),
            ToolDefinition::new("comment_add").with_description("Adds a comment."),
            ToolDefinition::new("github_profile").with_description("Somebody's profile on GitHub."),
            ToolDefinition::new("größe").with_description("日本 size"),
        ];
        let queries: Vec<_> = queries.iter().map(|query| (*query).to_owned()).collect();
        KeywordIndex::new(&tools).search(&queries, most, |place| known.contains(&place))
    }

    #[test]
    fn whole_words_count_each_once() {
        assert_eq!(search(&["me"], 10, &[]), Some(vec![0]));
        assert_eq!(search(&["GitHub profile", "profile"], 10, &[]), Some(vec![0, 2]));
        assert_eq!(search(&["nothing"], 10, &[]), Some(vec![]));
        assert_eq!(search(&["größe"], 10, &[]), Some(vec![3]));
    }

    #[test]
    fn what_is_known_never_takes_the_place_of_what_is_new() {
        assert_eq!(search(&["github profile"], 1, &[0]), Some(vec![2]));
        assert_eq!(search(&["github profile"], 2, &[0]), Some(vec![2, 0]));
        assert_eq!(search(&["github"], 0, &[]), Some(vec![]));
    }

    #[test]
    fn queries_without_words_find_nothing_to_search_for() {
        assert_eq!(search(&["", " - "], 10, &[]), None);
    }
}
