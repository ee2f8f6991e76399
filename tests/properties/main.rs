//! The invariants of `ARCHITECTURE.md`, over random agents, scripts, failures and cancellations, on a paused clock.

mod appends;
mod decoders;
mod discovery;
mod mcp;
mod partial;
mod secrets;
mod stored;
mod world;

use proptest::prelude::*;
use toolwright::RecordedHistory;

use crate::world::{End, World, assert_answered, plain};

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, failure_persistence: None, ..ProptestConfig::default() })]

    /// Invariants 1 and 5: whatever happens in a run, models are sent whole histories, tools are not left behind, and
    /// what is kept can be used again.
    #[test]
    fn every_call_is_answered_once_and_nothing_is_left_behind(world in world::worlds()) {
        let record = RecordedHistory::new();
        let (end, seen, running) = world.play(None, &record);
        seen.iter().for_each(assert_answered);
        prop_assert_eq!(running, 0, "tools were left behind");

        let kept = match end {
            End::Done(history) | End::Failed(history) => history,
            End::Dropped => record.history(),
        };
        let (_, seen, running) = World::quiet().play(Some(kept), &RecordedHistory::new());
        seen.iter().for_each(assert_answered);
        prop_assert_eq!(running, 0);
    }

    /// Invariant 4: the same run gives the same history, whatever the hash order.
    #[test]
    fn the_same_run_gives_the_same_history(world in world::worlds()) {
        let first = world.play(None, &RecordedHistory::new());
        let second = world.play(None, &RecordedHistory::new());
        prop_assert_eq!(plain(&first.0), plain(&second.0));
    }

    /// A run that is read event by event is the same run.
    #[test]
    fn a_streamed_run_gives_the_same_history(world in world::worlds()) {
        let (end, seen, running) = world.play_streamed();
        seen.iter().for_each(assert_answered);
        prop_assert_eq!(running, 0);
        prop_assert_eq!(plain(&end), plain(&world.play(None, &RecordedHistory::new()).0));
    }

    /// The record that is kept while a run goes on is the history the run ends with.
    #[test]
    fn the_record_is_the_history(world in world::worlds()) {
        let record = RecordedHistory::new();
        if let End::Done(history) = world.play(None, &record).0 {
            prop_assert_eq!(record.history(), history);
        }
    }

    /// Invariant 2: what was stored is loaded, and stored again the same.
    #[test]
    fn a_history_comes_back_from_its_json(world in world::worlds()) {
        let (end, ..) = world.play(None, &RecordedHistory::new());
        if let End::Done(history) | End::Failed(history) = end {
            stored::assert_round_trip(&history.to_json());
        }
    }
}
