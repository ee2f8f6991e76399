//! How long runs take.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use support::{Case, Reading, Size, Way, check_fairness};

/// How long one figure may take to measure.
const PATIENCE: Duration = Duration::from_millis(400);

fn main() {
    check_fairness();
    println!("times in microseconds, medians\n");
    println!("| tools | untouched | prepared | one edited | by hand |");
    println!("|---|---|---|---|---|");
    for tools in [1, 10, 50, 100, 1_000, 10_000] {
        let median = |way| median_of_runs(way, Size { tools, steps: 1, calls: 1 });
        let [untouched, prepared, edited, by_hand] =
            [Way::Untouched, Way::Prepared, Way::Edited, Way::ByHand].map(median);
        println!("| {tools} | {untouched:.1} | {prepared:.1} | {edited:.1} | {by_hand:.1} |");
    }
    println!("\n| steps, with 10 tools | untouched | by hand |");
    println!("|---|---|---|");
    for steps in [1, 10, 100, 1_000] {
        let [untouched, by_hand] =
            [Way::Untouched, Way::ByHand].map(|way| median_of_runs(way, Size { tools: 10, steps, calls: 1 }));
        println!("| {steps} | {untouched:.1} | {by_hand:.1} |");
    }
    let [untouched, by_hand] = [Way::Untouched, Way::ByHand].map(|way| {
        let reading = Reading::new(way);
        median(|| drop(black_box(reading.go())))
    });
    println!("\nreading the arguments of a call: {untouched:.2}; by hand: {by_hand:.2}");
}

fn median_of_runs(way: Way, size: Size) -> f64 {
    let case = Case::new(way, size);
    median(|| case.go())
}

/// The median time of `work`, in microseconds.
fn median(work: impl Fn()) -> f64 {
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < 5 || begun.elapsed() < PATIENCE {
        let start = Instant::now();
        work();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}
