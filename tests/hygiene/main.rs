//! Expansions use nothing of what a module has: not the prelude, not a name, not the crate's own.
//!
//! It compiles, or it does not; what it says when it runs is said elsewhere.

#![no_implicit_prelude]
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    non_camel_case_types,
    reason = "an expansion must not break a build with strict lints"
)]

mod no_prelude;
mod private_types;
mod renamed;
mod shadowed;

#[test]
fn tools_are_made_without_any_name_in_scope() {
    let tools: ::std::vec::Vec<::toolwright::Tool<i32>> = ::toolwright::tools![
        no_prelude::search,
        no_prelude::count,
        no_prelude::echo::<u8>,
        shadowed::find,
        renamed::tell,
        private_types::locate,
        no_prelude::look_up,
        no_prelude::anything,
        renamed::say,
        shadowed::of_a_kind
    ];
    let names = ::std::iter::Iterator::map(tools.iter(), ::toolwright::Tool::name);
    let names: ::std::vec::Vec<&str> = ::std::iter::Iterator::collect(names);
    let expected = ["search", "count", "echo", "find", "tell", "locate", "look_up", "anything", "say", "of_a_kind"];
    ::std::assert_eq!(names, expected);
}

#[test]
fn toolsets_are_made_without_any_name_in_scope() {
    let _: ::toolwright::FunctionToolset<i32> = no_prelude::Store(1).into_store_tools();
    let _: ::toolwright::FunctionToolset<i32> = ::std::sync::Arc::new(renamed::Holder).toolset();
    let _: ::toolwright::FunctionToolset<()> = shadowed::Named.into_toolset();
    let _: ::toolwright::toolset::AnyToolset<i32> = no_prelude::gathered::toolset();
    let _: ::toolwright::capability::Bundle<i32> = no_prelude::gathered::capability();
    let _: ::toolwright::toolset::AnyToolset<i32> = shadowed::shadowing::toolset();
    let _: ::toolwright::capability::Bundle<()> = renamed::holding::capability();
}

#[test]
fn kinds_are_found_without_any_name_in_scope() {
    let own = ["hygiene.lookup", "hygiene.anything", "hygiene.saying", "hygiene.shadowed"];
    let id = |kind: &fn() -> ::toolwright::tool::kind::KindDefinition| ::std::string::ToString::to_string(kind().id());
    let found: ::std::vec::Vec<::std::string::String> =
        ::std::iter::Iterator::collect(::std::iter::Iterator::map(::toolwright::tool::kind::TOOL_KINDS.iter(), id));
    for kind in own {
        ::std::assert!(::std::iter::Iterator::any(&mut found.iter(), |id| id == kind), "{kind}");
    }
}

#[test]
fn agents_are_put_together_without_any_name_in_scope() {
    let model = ::toolwright::model::TestModel::new;
    let named = |agent: ::toolwright::Result<::toolwright::Agent<i32>>| {
        let agent = ::std::result::Result::expect(agent, "an agent");
        ::std::format!("{:?} {:?}", agent.name(), agent.tools())
    };
    let own = named(no_prelude::Support::builder(model()).build());
    ::std::assert!(own.contains(r#"Some("hygiene")"#) && own.contains(r#"["fits_all", "tell_deps"]"#), "{own}");
    let renamed = named(renamed::Support::builder(model()).build());
    ::std::assert!(renamed.contains(r#"["registered"]"#), "{renamed}");
    let shadowed = ::std::result::Result::expect(shadowed::Support::builder(model()).build(), "an agent");
    ::std::assert!(::std::format!("{:?}", shadowed.tools()).contains(r#"["registered"]"#));
}
