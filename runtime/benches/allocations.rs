//! How often runs allocate, and how much.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod support;

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use support::{Case, Reading, Size, Way, check_fairness};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    check_fairness();
    println!("allocations of a run of one step (and bytes)\n");
    println!("| tools | untouched | prepared | one edited | by hand |");
    println!("|---|---|---|---|---|");
    for tools in [1, 10, 50, 100, 1_000, 10_000] {
        let [untouched, prepared, edited, by_hand] = [Way::Untouched, Way::Prepared, Way::Edited, Way::ByHand]
            .map(|way| count_in_run(way, Size { tools, steps: 1, calls: 1 }));
        println!("| {tools} | {untouched} | {prepared} | {edited} | {by_hand} |");
    }
    println!("\n| steps, with 10 tools | untouched | by hand |");
    println!("|---|---|---|");
    for steps in [1, 10, 100, 1_000] {
        let [untouched, by_hand] =
            [Way::Untouched, Way::ByHand].map(|way| count_in_run(way, Size { tools: 10, steps, calls: 1 }));
        println!("| {steps} | {untouched} | {by_hand} |");
    }
    let [untouched, by_hand] = [Way::Untouched, Way::ByHand].map(|way| {
        let reading = Reading::new(way);
        count(|| drop(reading.go()))
    });
    println!("\nreading the arguments of a call: {untouched}; by hand: {by_hand}");
}

fn count_in_run(way: Way, size: Size) -> String {
    let case = Case::new(way, size);
    count(|| case.go())
}

fn count(work: impl Fn()) -> String {
    let region = Region::new(ALLOCATOR);
    work();
    let change = region.change();
    format!("{} ({})", change.allocations + change.reallocations, change.bytes_allocated)
}
