//! Hidden tools that are found, revealed and added, over conversations that move from provider to provider.

use proptest::prelude::*;
use toolwright_tests::discovery::{Act, Part, models, play};

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        2 => Just(Act::Call),
        2 => Just(Act::Reveal),
        2 => Just(Act::Add),
        3 => Just(Act::Search),
        2 => (0usize..3).prop_map(Act::CallHidden),
        2 => Just(Act::CallNew),
        1 => Just(Act::Say),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    let forced = prop::option::weighted(0.2, 1u32..5);
    (0..models(), prop::collection::vec(act(), 0..7), forced)
        .prop_map(|(model, acts, forced)| Part::new(model, acts, forced))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// No request has a call without a result or the other way round, lists a tool twice, forces one that is not there,
    /// or changes what was cached without a reason that the specification gives; and every body fits its schema.
    #[test]
    fn what_is_sent_keeps_together(
        hidden in 0usize..4,
        keywords in any::<bool>(),
        parts in prop::collection::vec(part(), 1..4),
    ) {
        prop_assert_eq!(play(hidden, keywords, &parts), Ok(()));
    }
}
