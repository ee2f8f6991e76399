//! How many instructions the encoding of requests takes, provider by provider, beside writing the same bytes from ready values.

mod conversation;
mod step;
#[path = "../support/valgrind.rs"]
mod valgrind;

fn main() {
    // Callgrind starts this program anew for each figure, with arguments of its own.
    if !valgrind::is_counting() {
        step::check_fairness();
        if !valgrind::is_there() {
            return;
        }
    }
    counted::start();
}

mod counted {
    use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

    use super::step::{Api, Place, Ready, Step};

    // The model's own way.
    #[library_benchmark(setup = Step::new)]
    #[benches::of_a_process(args = [
        (Api::OpenAiChat, Place::OfProcess), (Api::OpenAiResponses, Place::OfProcess),
        (Api::Anthropic, Place::OfProcess), (Api::Google, Place::OfProcess),
    ])]
    #[benches::first(args = [
        (Api::OpenAiChat, Place::OfRun), (Api::OpenAiResponses, Place::OfRun),
        (Api::Anthropic, Place::OfRun), (Api::Google, Place::OfRun),
    ])]
    #[benches::next(args = [
        (Api::OpenAiChat, Place::Next), (Api::OpenAiResponses, Place::Next),
        (Api::Anthropic, Place::Next), (Api::Google, Place::Next),
    ])]
    fn encode(mut step: Step) -> Step {
        step.send();
        step
    }

    // The same bytes from values that are there.
    #[library_benchmark(setup = Ready::new)]
    #[benches::first(args = [
        (Api::OpenAiChat, Place::OfRun), (Api::OpenAiResponses, Place::OfRun),
        (Api::Anthropic, Place::OfRun), (Api::Google, Place::OfRun),
    ])]
    #[benches::next(args = [
        (Api::OpenAiChat, Place::Next), (Api::OpenAiResponses, Place::Next),
        (Api::Anthropic, Place::Next), (Api::Google, Place::Next),
    ])]
    fn write(ready: Ready) -> (Ready, Vec<u8>) {
        let body = ready.write();
        (ready, body)
    }

    library_benchmark_group!(name = figures, benchmarks = [encode, write]);

    main!(
        config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
        library_benchmark_groups = figures
    );

    pub(super) fn start() {
        main();
    }
}
