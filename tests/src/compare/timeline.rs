//! Comparing what happened in which order, where calls run side by side.

use serde_json::Value;

use super::values::{Difference, same_but_empties};

/// From this difference on, in milliseconds, what sleeps longer certainly ends later.
const CERTAIN: u64 = 30;

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) value: Value,
    /// Where its call stands; none for what belongs to no call.
    pub(crate) place: Option<Place>,
    /// How long its call sleeps.
    pub(crate) sleep_ms: u64,
}

/// Calls of the same place run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The response that holds the call.
    pub(crate) response: usize,
    /// Which stretch between barriers the call is in.
    pub(crate) stretch: usize,
}

/// Compares what happened with what must have: the same moments, in the same order but where it is left open.
pub(crate) fn timeline(expected: &Value, actual: &[Moment]) -> Result<(), Difference> {
    let expected = expected.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut taken = vec![false; actual.len()];
    let mut order: Vec<usize> = Vec::with_capacity(expected.len());
    for (index, value) in expected.iter().enumerate() {
        let found = (0..actual.len()).find(|&at| !taken[at] && same_but_empties(value, &actual[at].value).is_ok());
        let Some(at) = found else {
            return Err(not_found(value, index, actual, &taken));
        };
        taken[at] = true;
        order.push(at);
    }
    if let Some(at) = taken.iter().position(|taken| !taken) {
        return Err(Difference::new("nothing", &actual[at].value).at(format_args!("[{at}]")));
    }
    let swapped = order.iter().enumerate().find_map(|(index, &at)| {
        let early = order[..index].iter().find(|&&before| before > at && !is_open(&actual[before], &actual[at]))?;
        Some((index, *early, at))
    });
    match swapped {
        Some((index, before, at)) => {
            let (before, at) = (&actual[before].value, &actual[at].value);
            Err(Difference::new(format_args!("{at} after {before}"), "the other order").at(format_args!("[{index}]")))
        }
        None => Ok(()),
    }
}

fn not_found(value: &Value, index: usize, actual: &[Moment], taken: &[bool]) -> Difference {
    // The one at the same place, or whichever is left, is most likely the one meant.
    let meant =
        (!taken.get(index).copied().unwrap_or(true)).then_some(index).or_else(|| taken.iter().position(|taken| !taken));
    let got = meant.map_or("no more".to_owned(), |at| actual[at].value.to_string());
    Difference::new(value, got).at(format_args!("[{index}]"))
}

/// Whether the order of two moments is left open: two starts, two ends or two results of calls that run side by side.
fn is_open(a: &Moment, b: &Moment) -> bool {
    let alike = side_by_side(a).is_some_and(|sort| side_by_side(b) == Some(sort));
    alike && a.place.is_some() && a.place == b.place && a.sleep_ms.abs_diff(b.sleep_ms) < CERTAIN
}

/// The sort of a moment that calls side by side come to each at its own time.
fn side_by_side(moment: &Moment) -> Option<&str> {
    let text = |key| moment.value.get(key).and_then(Value::as_str);
    text("at").or_else(|| text("event").filter(|event| event.ends_with("_result")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SIDE_BY_SIDE: Place = Place { response: 1, stretch: 0 };

    fn moment(tool: &str, at: &str, place: Place, sleep_ms: u64) -> Moment {
        Moment { value: json!({"tool": tool, "at": at}), place: Some(place), sleep_ms }
    }

    fn expected(moments: &[(&str, &str)]) -> Value {
        moments.iter().map(|(tool, at)| json!({"tool": tool, "at": at})).collect()
    }

    #[test]
    fn two_starts_of_calls_side_by_side_may_change_places() {
        let actual = [moment("b", "start", SIDE_BY_SIDE, 10), moment("a", "start", SIDE_BY_SIDE, 20)];
        assert_eq!(timeline(&expected(&[("a", "start"), ("b", "start")]), &actual), Ok(()));
    }

    #[test]
    fn not_where_one_sleeps_much_longer() {
        let actual = [moment("b", "end", SIDE_BY_SIDE, 10), moment("a", "end", SIDE_BY_SIDE, 40)];
        assert!(timeline(&expected(&[("a", "end"), ("b", "end")]), &actual).is_err());
        assert_eq!(timeline(&expected(&[("b", "end"), ("a", "end")]), &actual), Ok(()));
    }

    #[test]
    fn not_a_start_and_an_end() {
        let actual = [moment("b", "start", SIDE_BY_SIDE, 0), moment("a", "end", SIDE_BY_SIDE, 0)];
        assert!(timeline(&expected(&[("a", "end"), ("b", "start")]), &actual).is_err());
    }

    #[test]
    fn not_across_a_barrier_or_another_response() {
        for other in [Place { stretch: 1, ..SIDE_BY_SIDE }, Place { response: 2, ..SIDE_BY_SIDE }] {
            let actual = [moment("b", "start", other, 0), moment("a", "start", SIDE_BY_SIDE, 0)];
            assert!(timeline(&expected(&[("a", "start"), ("b", "start")]), &actual).is_err());
        }
    }

    #[test]
    fn of_events_only_results_may_change_places() {
        for (event, may) in [("function_tool_result", true), ("function_tool_call", false)] {
            let value = |id| json!({"event": event, "id": id});
            let happened = |id| Moment { value: value(id), place: Some(SIDE_BY_SIDE), sleep_ms: 0 };
            let expected = json!([value("1"), value("2")]);
            assert_eq!(timeline(&expected, &[happened("2"), happened("1")]).is_ok(), may, "{event}");
        }
    }

    #[test]
    fn nothing_may_be_missing_or_too_much() {
        let actual = [moment("a", "start", SIDE_BY_SIDE, 0)];
        assert!(timeline(&expected(&[("a", "start"), ("a", "end")]), &actual).is_err());
        assert!(timeline(&expected(&[]), &actual).is_err());
        assert!(timeline(&expected(&[("b", "start")]), &actual).is_err());
    }
}
