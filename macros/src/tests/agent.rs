use expect_test::expect;
use quote::quote;

use super::{check, messages};
use crate::{agent, instructions, output_validator, tool};

#[test]
fn an_agent_type_starts_agents() {
    check(
        agent::expand,
        quote!(deps = Db, output = Reply, name = "support"),
        quote! {
            /// Helps.
            pub struct Support;
        },
        &expect![[r##"
            #[allow(dead_code)]
            /// Helps.
            pub struct Support;
            const _: () = {
                impl ::toolwright::__private::RegisteredAgent for Support {
                    type Deps = Db;
                    type Output = Reply;
                    const NAME: &'static ::core::primitive::str = "support";
                    fn output() -> ::toolwright::__private::OutputSpec<
                        Self::Output,
                        impl ::toolwright::__private::FromContext<
                            ::toolwright::__private::RunContext<Self::Deps>,
                        >,
                    > {
                        #[allow(unused_imports)]
                        use ::toolwright::__private::OtherOutput as _;
                        ::toolwright::__private::OutputOf::<Reply>::new().spec()
                    }
                }
                impl Support {
                    /// Starts an agent on `model`, with all that is registered with this type.
                    #[allow(dead_code)]
                    pub fn builder(
                        __tw_model: impl ::toolwright::__private::Model,
                    ) -> ::toolwright::__private::AgentBuilder<Db, Reply> {
                        <Self as ::toolwright::__private::RegisteredAgent>::builder(__tw_model)
                    }
                }
            };
        "##]],
    );
}

#[test]
fn an_agent_of_nothing_comes_to_text() {
    check(
        agent::expand,
        quote!(manual),
        quote!(
            struct Support;
        ),
        &expect![[r##"
            #[allow(dead_code)]
            struct Support;
            const _: () = {
                impl ::toolwright::__private::RegisteredAgent for Support {
                    type Deps = ();
                    type Output = ::toolwright::__private::String;
                    const NAME: &'static ::core::primitive::str = "Support";
                    const MANUAL: ::core::primitive::bool = true;
                    fn output() -> ::toolwright::__private::OutputSpec<
                        Self::Output,
                        impl ::toolwright::__private::FromContext<
                            ::toolwright::__private::RunContext<Self::Deps>,
                        >,
                    > {
                        #[allow(unused_imports)]
                        use ::toolwright::__private::OtherOutput as _;
                        ::toolwright::__private::OutputOf::<::toolwright::__private::String>::new()
                            .spec()
                    }
                }
                impl Support {
                    /// Starts an agent on `model`. It has what is added to it by hand.
                    #[allow(dead_code)]
                    fn builder(
                        __tw_model: impl ::toolwright::__private::Model,
                    ) -> ::toolwright::__private::AgentBuilder<(), ::toolwright::__private::String> {
                        <Self as ::toolwright::__private::RegisteredAgent>::builder(__tw_model)
                    }
                }
            };
        "##]],
    );
}

#[test]
fn a_registered_tool_has_an_entry_for_each_agent() {
    check(
        tool::expand,
        quote!(agent = [Support, desk::Sales], order = -1, inline),
        quote! {
            fn find(ctx: RunContext<Db>) {}
        },
        &expect![[r#"
            fn find(ctx: RunContext<Db>) {}
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            struct find {}
            #[allow(deprecated)]
            const _: () = {
                impl ::toolwright::__private::NamedTool for find {
                    const NAME: &'static str = "find";
                }
                impl ::toolwright::__private::TypedTool<Db> for find {
                    fn spec() -> ::toolwright::__private::ToolSpec<Db> {
                        ::toolwright::__private::ToolSpec::<Db>::new("find")
                    }
                    fn read(
                        _: &mut ::toolwright::__private::ArgsReader<'_>,
                    ) -> ::core::option::Option<::toolwright::__private::AnyArgs> {
                        ::core::option::Option::Some(::toolwright::__private::hide(()))
                    }
                    fn call(
                        _: (),
                        __tw_ctx: ::toolwright::__private::RunContext<Db>,
                        __tw_args: ::toolwright::__private::AnyArgs,
                    ) -> ::toolwright::__private::Running {
                        #[allow(unused_imports)]
                        use ::toolwright::__private::{FinishPlain as _, SplitPlain as _};
                        ::toolwright::__private::inline(
                            __tw_args,
                            |(): ()| {
                                ::toolwright::__private::Returned(find(__tw_ctx))
                                    .split()
                                    .and_then(|__tw_value| __tw_value.finish())
                            },
                        )
                    }
                }
                #[::toolwright::__private::linkme::distributed_slice(
                    ::toolwright::__private::REGISTERED
                )]
                #[linkme(crate = ::toolwright::__private::linkme)]
                static __TW_REGISTERED_0: fn(&mut ::toolwright::__private::Registry) = |
                    __tw_registry|
                {
                    #[allow(unused_imports)]
                    use ::toolwright::__private::{NoAgent as _, Unfit as _};
                    let _ = ::toolwright::__private::agent_type::<Support>;
                    ::toolwright::__private::AgentOf::<Support>::new()
                        .register::<
                            Db,
                        >(
                            __tw_registry,
                            (-1, ::core::module_path!(), "find"),
                            |__tw_builder| {
                                ::toolwright::__private::Adding::new(
                                        __tw_builder,
                                        ::core::marker::PhantomData::<find>,
                                    )
                                    .tool()
                            },
                        );
                };
                #[::toolwright::__private::linkme::distributed_slice(
                    ::toolwright::__private::REGISTERED
                )]
                #[linkme(crate = ::toolwright::__private::linkme)]
                static __TW_REGISTERED_1: fn(&mut ::toolwright::__private::Registry) = |
                    __tw_registry|
                {
                    #[allow(unused_imports)]
                    use ::toolwright::__private::{NoAgent as _, Unfit as _};
                    let _ = ::toolwright::__private::agent_type::<desk::Sales>;
                    ::toolwright::__private::AgentOf::<desk::Sales>::new()
                        .register::<
                            Db,
                        >(
                            __tw_registry,
                            (-1, ::core::module_path!(), "find"),
                            |__tw_builder| {
                                ::toolwright::__private::Adding::new(
                                        __tw_builder,
                                        ::core::marker::PhantomData::<find>,
                                    )
                                    .tool()
                            },
                        );
                };
            };
        "#]],
    );
}

#[test]
fn registered_instructions_may_fit_every_agent() {
    check(
        instructions::expand,
        quote!(agent = Support),
        quote! {
            #[cfg(unix)]
            async fn rules() -> String {
                String::new()
            }
        },
        &expect![[r##"
            #[cfg(unix)]
            async fn rules() -> String {
                String::new()
            }
            #[cfg(unix)]
            const _: () = {
                #[allow(dead_code, clippy::extra_unused_lifetimes)]
                fn __tw_check() {
                    let _ = ::toolwright::__private::instructions::<String>;
                    ::toolwright::__private::bare_instructions_future(rules);
                }
                #[::toolwright::__private::linkme::distributed_slice(
                    ::toolwright::__private::REGISTERED
                )]
                #[linkme(crate = ::toolwright::__private::linkme)]
                static __TW_REGISTERED_0: fn(&mut ::toolwright::__private::Registry) = |
                    __tw_registry|
                {
                    #[allow(unused_imports)]
                    use ::toolwright::__private::{NoAgent as _, Unfit as _};
                    let _ = ::toolwright::__private::agent_type::<Support>;
                    ::toolwright::__private::AgentOf::<Support>::new()
                        .register_any(
                            __tw_registry,
                            (0, ::core::module_path!(), "rules"),
                            |__tw_builder| {
                                ::toolwright::__private::Adding::new(__tw_builder, rules)
                                    .instructions_fn()
                            },
                        );
                };
            };
        "##]],
    );
}

#[test]
fn a_registered_validator_is_for_the_output_of_its_agent() {
    check(
        output_validator::expand,
        quote!(agent = Support),
        quote! {
            fn polite(ctx: &RunContext<Db>, reply: Reply) -> Result<Reply, ModelRetry> {
                Ok(reply)
            }
        },
        &expect![[r#"
            fn polite(ctx: &RunContext<Db>, reply: Reply) -> Result<Reply, ModelRetry> {
                Ok(reply)
            }
            const _: () = {
                #[allow(dead_code, clippy::extra_unused_lifetimes)]
                fn __tw_check() {
                    let _ = ::toolwright::__private::deps::<Db>;
                    let _ = ::toolwright::__private::validated_output::<
                        Reply,
                        Result<Reply, ModelRetry>,
                    >;
                    ::toolwright::__private::owned_of_two(polite);
                }
                #[::toolwright::__private::linkme::distributed_slice(
                    ::toolwright::__private::REGISTERED
                )]
                #[linkme(crate = ::toolwright::__private::linkme)]
                static __TW_REGISTERED_0: fn(&mut ::toolwright::__private::Registry) = |
                    __tw_registry|
                {
                    #[allow(unused_imports)]
                    use ::toolwright::__private::{NoAgent as _, Unfit as _};
                    let _ = ::toolwright::__private::agent_type::<Support>;
                    ::toolwright::__private::AgentOf::<Support>::new().output::<Reply>();
                    ::toolwright::__private::AgentOf::<Support>::new()
                        .register::<
                            Db,
                        >(
                            __tw_registry,
                            (0, ::core::module_path!(), "polite"),
                            |__tw_builder| {
                                ::toolwright::__private::Adding::new(__tw_builder, polite)
                                    .output_validator()
                            },
                        );
                };
            };
        "#]],
    );
}

#[test]
fn all_mistakes_of_an_agent_are_told_at_once() {
    let messages = messages(
        agent::expand,
        quote!(deps = &str, output = impl Sized, nam = "x", manual = 1),
        quote! {
            #[agent]
            struct Support<T>;
        },
    );
    expect![[r#"
        unknown option `nam`; did you mean `name`?
        `manual` takes `true`, `false` or nothing: `manual` or `manual = false`
        what is registered is registered with one agent, and so it is one type; remove the generic parameters
        `#[agent]` was given twice; remove one
        `deps` outlives every run: name `String`
        `output` is one type for all that is registered: name it, instead of `impl`"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn all_mistakes_of_a_registration_are_told_at_once() {
    let registered = |expand, item| messages(expand, quote!(agent = [Support, &u8, Support], order = 1.5), item);
    let tool = registered(
        tool::expand,
        quote!(
            fn find<T>(value: T) {}
        ),
    );
    let instructions = registered(
        instructions::expand,
        quote!(
            unsafe fn rules<const N: usize>(ctx: RunContext<()>, more: u8) -> &str {}
        ),
    );
    expect![[r#"
        an agent is the type that `#[agent]` is on: `agent = Support`, or `agent = [Support, Sales]`
        this agent was named twice; remove one
        `order` is a whole number: `order = 3`
        a generic function cannot be registered, since nobody says for which types; write one for these types that calls `find`, and put `#[tool]` on that"#]].assert_eq(&tool.join("\n"));
    expect![[r#"
        a function that gives instructions cannot be `unsafe`; remove it
        an agent is the type that `#[agent]` is on: `agent = Support`, or `agent = [Support, Sales]`
        this agent was named twice; remove one
        `order` is a whole number: `order = 3`
        a generic function cannot be registered, since nobody says for which types; write one for these types that calls `rules`, and put `#[instructions]` on that
        a function that gives instructions takes the run's context, or nothing; take what else it needs from the context's dependencies, or mark the context `#[ctx]`
        instructions outlive the call: return a `String`, or a `&'static str`"#]].assert_eq(&instructions.join("\n"));
}

#[test]
fn a_validator_is_told_all_its_mistakes_at_once() {
    let messages = messages(
        output_validator::expand,
        quote!(order = 3),
        quote!(
            async fn polite(ctx: &RunContext<()>, reply: &Reply, more: u8) {}
        ),
    );
    expect![[r#"
        an `async` hook takes the context by value: write `RunContext<…>`
        `order` is the place among what is registered with an agent; add `agent = …`, or remove it
        an output validator takes the context and the output, and nothing else; remove this
        an output validator is given the output, and gives it back: take `Reply`
        an output validator returns the output, or a `Result` of it: add `-> Result<…, ModelRetry>`"#]]
    .assert_eq(&messages.join("\n"));
}
