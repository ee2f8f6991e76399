//! How many instructions runs take, counted by valgrind's callgrind.

mod searching;
mod support;
#[path = "support/valgrind.rs"]
mod valgrind;

fn main() {
    // Callgrind starts this program anew for each figure, with arguments of its own.
    if !valgrind::is_counting() {
        support::check_fairness();
        if !valgrind::is_there() {
            return;
        }
    }
    counted::start();
}

mod counted {
    use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

    use super::searching::Searching;
    use super::support::{Case, Reading, Search, Size, Way};

    fn case(way: Way, tools: usize, steps: usize, calls: usize) -> Case {
        Case::new(way, Size { tools, steps, calls })
    }

    // One step: preparing the tools, encoding the request, decoding a text.
    #[library_benchmark(setup = case)]
    #[benches::untouched(args = [
        (Way::Untouched, 1, 1, 1), (Way::Untouched, 10, 1, 1), (Way::Untouched, 50, 1, 1),
        (Way::Untouched, 100, 1, 1), (Way::Untouched, 1_000, 1, 1), (Way::Untouched, 10_000, 1, 1),
    ])]
    #[benches::prepared(args = [
        (Way::Prepared, 1, 1, 1), (Way::Prepared, 10, 1, 1), (Way::Prepared, 50, 1, 1),
        (Way::Prepared, 100, 1, 1), (Way::Prepared, 1_000, 1, 1), (Way::Prepared, 10_000, 1, 1),
    ])]
    #[benches::edited(args = [
        (Way::Edited, 1, 1, 1), (Way::Edited, 10, 1, 1), (Way::Edited, 50, 1, 1),
        (Way::Edited, 100, 1, 1), (Way::Edited, 1_000, 1, 1), (Way::Edited, 10_000, 1, 1),
    ])]
    #[benches::by_hand(args = [
        (Way::ByHand, 1, 1, 1), (Way::ByHand, 10, 1, 1), (Way::ByHand, 50, 1, 1),
        (Way::ByHand, 100, 1, 1), (Way::ByHand, 1_000, 1, 1), (Way::ByHand, 10_000, 1, 1),
    ])]
    fn step(case: Case) -> Case {
        case.go();
        case
    }

    // Two steps with a call between them: less the one step above, what a further step costs.
    #[library_benchmark(setup = case)]
    #[benches::untouched(args = [
        (Way::Untouched, 10, 2, 1), (Way::Untouched, 50, 2, 1), (Way::Untouched, 1_000, 2, 1),
    ])]
    #[benches::by_hand(args = [(Way::ByHand, 10, 2, 1), (Way::ByHand, 50, 2, 1), (Way::ByHand, 1_000, 2, 1)])]
    fn two_steps(case: Case) -> Case {
        case.go();
        case
    }

    // The same, with 1,000 hidden tools beside those 10, and with the tool that finds them as an eleventh.
    #[library_benchmark(setup = case)]
    #[benches::beside_hidden(args = [(Way::BesideHidden, 10, 1, 1), (Way::BesideHidden, 10, 2, 1), (Way::BesideHidden, 10, 3, 1)])]
    #[benches::alone(args = [(Way::Untouched, 11, 1, 1), (Way::Untouched, 11, 2, 1), (Way::Untouched, 11, 3, 1)])]
    fn steps(case: Case) -> Case {
        case.go();
        case
    }

    // Whole runs with 10 tools, one call in each step but the last.
    #[library_benchmark(setup = case)]
    #[benches::untouched(args = [
        (Way::Untouched, 10, 1, 1), (Way::Untouched, 10, 10, 1), (Way::Untouched, 10, 100, 1), (Way::Untouched, 10, 1_000, 1),
    ])]
    #[benches::by_hand(args = [
        (Way::ByHand, 10, 1, 1), (Way::ByHand, 10, 10, 1), (Way::ByHand, 10, 100, 1), (Way::ByHand, 10, 1_000, 1),
    ])]
    fn run(case: Case) -> Case {
        case.go();
        case
    }

    // Two steps with 11 calls: less two steps with one, what ten calls cost, from decoding them to encoding their answers.
    #[library_benchmark(setup = case)]
    #[bench::untouched(Way::Untouched, 10, 2, 11)]
    #[bench::by_hand(Way::ByHand, 10, 2, 11)]
    fn eleven_calls(case: Case) -> Case {
        case.go();
        case
    }

    // The arguments of a call, from their text to the function's parameters.
    #[library_benchmark(setup = Reading::new)]
    #[bench::untouched(Way::Untouched)]
    #[bench::by_hand(Way::ByHand)]
    fn read_arguments(reading: Reading) -> (Reading, Search) {
        let search = reading.go();
        (reading, search)
    }

    // Runs that search hidden tools so often: each less the one before is what a search costs, the first of a run with the
    // index that it makes.
    #[library_benchmark(setup = Searching::new)]
    #[benches::of_1_000(args = [(1_000, 0), (1_000, 1), (1_000, 2)])]
    #[benches::of_10_000(args = [(10_000, 0), (10_000, 1), (10_000, 2)])]
    fn searches(searching: Searching) -> Searching {
        searching.go();
        searching
    }

    library_benchmark_group!(
        name = figures,
        benchmarks = [step, two_steps, steps, run, eleven_calls, read_arguments, searches]
    );

    main!(
        config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
        library_benchmark_groups = figures
    );

    pub(super) fn start() {
        main();
    }
}
