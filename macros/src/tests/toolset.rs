use expect_test::expect;
use quote::quote;

use super::{check, messages};
use crate::toolset::expand;

#[test]
fn methods_become_tools_that_share_their_value() {
    check(
        expand,
        quote!(name = stock),
        quote! {
            impl Store {
                /// Finds.
                #[tool(retries = Self::TRIES)]
                pub async fn find(&self, ctx: &RunContext<Db>, #[doc = " what"] sku: String) -> Option<u32> {
                    self.items.get(&sku)
                }

                #[cfg(unix)]
                #[tool(inline)]
                fn limit(#[arg(default = Self::LIMIT)] of: u8) -> u8 {
                    of
                }

                fn other(&self) {}
            }
        },
        &expect![[r#"
            impl Store {
                /// Finds.
                pub async fn find(&self, ctx: &RunContext<Db>, sku: String) -> Option<u32> {
                    self.items.get(&sku)
                }
                #[cfg(unix)]
                fn limit(of: u8) -> u8 {
                    of
                }
                fn other(&self) {}
            }
            #[allow(deprecated)]
            const _: () = {
                #[allow(unused_imports)]
                use tool as _;
                #[allow(non_camel_case_types)]
                struct __TwTool_find;
                const _: () = {
                    impl ::toolwright::__private::MethodTool<Db, __TwTool_find> for Store
                    where
                        Store: ::toolwright::__private::ToolReceiver,
                    {
                        fn spec() -> ::toolwright::__private::ToolSpec<Db> {
                            ::toolwright::__private::ToolSpec::<Db>::new("find")
                                .description("Finds.")
                                .param(
                                    ::toolwright::__private::parameter::<String>("sku")
                                        .spec()
                                        .description("what"),
                                )
                                .retries(Self::TRIES)
                        }
                        fn read(
                            __tw_reader: &mut ::toolwright::__private::ArgsReader<'_>,
                        ) -> ::core::option::Option<::toolwright::__private::AnyArgs> {
                            let __tw_0 = ::toolwright::__private::parameter::<String>("sku")
                                .read(__tw_reader);
                            ::core::option::Option::Some(::toolwright::__private::hide((__tw_0?,)))
                        }
                        fn call(
                            __tw_receiver: ::toolwright::__private::std::sync::Arc<Self>,
                            __tw_ctx: ::toolwright::__private::RunContext<Db>,
                            __tw_args: ::toolwright::__private::AnyArgs,
                        ) -> ::toolwright::__private::Running {
                            #[allow(unused_imports)]
                            use ::toolwright::__private::{FinishPlain as _, SplitPlain as _};
                            ::toolwright::__private::future(
                                __tw_args,
                                |(__tw_0,): (String,)| async move {
                                    ::toolwright::__private::Returned(
                                            Self::find(&__tw_receiver, &__tw_ctx, __tw_0).await,
                                        )
                                        .split()
                                        .and_then(|__tw_value| __tw_value.finish())
                                },
                            )
                        }
                    }
                };
                #[cfg(unix)]
                #[allow(non_camel_case_types)]
                struct __TwTool_limit;
                #[cfg(unix)]
                const _: () = {
                    impl Store {
                        fn __tw_limit_default_0() -> u8 {
                            Self::LIMIT
                        }
                    }
                    impl ::toolwright::__private::MethodTool<Db, __TwTool_limit> for Store
                    where
                        Store: ::toolwright::__private::ToolReceiver,
                    {
                        fn spec() -> ::toolwright::__private::ToolSpec<Db> {
                            ::toolwright::__private::ToolSpec::<Db>::new("limit")
                                .param({
                                    #[allow(unused_imports)]
                                    use ::toolwright::__private::HiddenDefault as _;
                                    ::toolwright::__private::DefaultValue(
                                            &Self::__tw_limit_default_0(),
                                        )
                                        .on(::toolwright::__private::parameter::<u8>("of").spec())
                                })
                        }
                        fn read(
                            __tw_reader: &mut ::toolwright::__private::ArgsReader<'_>,
                        ) -> ::core::option::Option<::toolwright::__private::AnyArgs> {
                            let __tw_0 = ::toolwright::__private::parameter::<u8>("of")
                                .read_or(__tw_reader, || Self::__tw_limit_default_0());
                            ::core::option::Option::Some(::toolwright::__private::hide((__tw_0?,)))
                        }
                        fn call(
                            _: ::toolwright::__private::std::sync::Arc<Self>,
                            _: ::toolwright::__private::RunContext<Db>,
                            __tw_args: ::toolwright::__private::AnyArgs,
                        ) -> ::toolwright::__private::Running {
                            #[allow(unused_imports)]
                            use ::toolwright::__private::{FinishPlain as _, SplitPlain as _};
                            ::toolwright::__private::inline(
                                __tw_args,
                                |(__tw_0,): (u8,)| {
                                    ::toolwright::__private::Returned(Self::limit(__tw_0))
                                        .split()
                                        .and_then(|__tw_value| __tw_value.finish())
                                },
                            )
                        }
                    }
                };
                #[allow(dead_code, unreachable_pub, private_interfaces)]
                impl Store
                where
                    Store: ::toolwright::__private::ToolReceiver,
                {
                    /// The tools of this value, which they share with the caller: `find`, `limit`.
                    #[must_use]
                    pub fn stock(
                        self: &::toolwright::__private::std::sync::Arc<Self>,
                    ) -> ::toolwright::__private::FunctionToolset<Db> {
                        let mut __tw_tools = ::toolwright::__private::std::vec::Vec::new();
                        __tw_tools
                            .push(::toolwright::__private::method::<Db, Self, __TwTool_find>(self));
                        #[cfg(unix)]
                        __tw_tools
                            .push(::toolwright::__private::method::<Db, Self, __TwTool_limit>(self));
                        ::toolwright::__private::FunctionToolset::new()
                            .with_id("stock")
                            .with_tools(__tw_tools)
                    }
                    /// The tools of this value, which they share: `find`, `limit`. `stock` keeps the value.
                    #[must_use]
                    pub fn into_stock(self) -> ::toolwright::__private::FunctionToolset<Db> {
                        Self::stock(&::toolwright::__private::std::sync::Arc::new(self))
                    }
                }
            };
        "#]],
    );
}

#[test]
fn a_generic_block_asks_for_what_its_tools_need() {
    check(
        expand,
        quote!(id = "cache", vis = pub(crate), crate = crate::tw),
        quote! {
            impl<'a, K: Hash, const N: usize> Cache<'a, K, N>
            where
                K: Eq,
            {
                #[tool]
                fn get(self: &Arc<Self>, key: K) -> Option<u8> {
                    None
                }
            }
        },
        &expect![[r#"
            impl<'a, K: Hash, const N: usize> Cache<'a, K, N>
            where
                K: Eq,
            {
                fn get(self: &Arc<Self>, key: K) -> Option<u8> {
                    None
                }
            }
            #[allow(deprecated)]
            const _: () = {
                #[allow(unused_imports)]
                use tool as _;
                #[allow(non_camel_case_types)]
                struct __TwTool_get;
                const _: () = {
                    impl<
                        __AnyDeps: 'static,
                        K,
                        const N: usize,
                    > crate::tw::__private::MethodTool<__AnyDeps, __TwTool_get>
                    for Cache<'static, K, N>
                    where
                        K: 'static + Hash,
                        K: Eq,
                        K: crate::tw::__private::ToolParameter,
                        Cache<'static, K, N>: crate::tw::__private::ToolReceiver,
                    {
                        fn spec() -> crate::tw::__private::ToolSpec<__AnyDeps> {
                            crate::tw::__private::ToolSpec::<__AnyDeps>::new("get")
                                .param(crate::tw::__private::parameter::<K>("key").spec())
                        }
                        fn read(
                            __tw_reader: &mut crate::tw::__private::ArgsReader<'_>,
                        ) -> ::core::option::Option<crate::tw::__private::AnyArgs> {
                            let __tw_0 = crate::tw::__private::parameter::<K>("key")
                                .read(__tw_reader);
                            ::core::option::Option::Some(crate::tw::__private::hide((__tw_0?,)))
                        }
                        fn call(
                            __tw_receiver: crate::tw::__private::std::sync::Arc<Self>,
                            _: crate::tw::__private::RunContext<__AnyDeps>,
                            __tw_args: crate::tw::__private::AnyArgs,
                        ) -> crate::tw::__private::Running {
                            #[allow(unused_imports)]
                            use crate::tw::__private::{FinishPlain as _, SplitPlain as _};
                            crate::tw::__private::blocking(
                                __tw_args,
                                move |(__tw_0,): (K,)| {
                                    crate::tw::__private::Returned(Self::get(&__tw_receiver, __tw_0))
                                        .split()
                                        .and_then(|__tw_value| __tw_value.finish())
                                },
                            )
                        }
                    }
                };
                #[allow(dead_code, unreachable_pub, private_interfaces)]
                impl<K, const N: usize> Cache<'static, K, N>
                where
                    K: 'static + Hash,
                    K: Eq,
                    K: crate::tw::__private::ToolParameter,
                    Cache<'static, K, N>: crate::tw::__private::ToolReceiver,
                {
                    /// The tools of this value, which they share with the caller: `get`.
                    #[must_use]
                    pub(crate) fn toolset<
                        __AnyDeps: ::core::marker::Send + ::core::marker::Sync + 'static,
                    >(
                        self: &crate::tw::__private::std::sync::Arc<Self>,
                    ) -> crate::tw::__private::FunctionToolset<__AnyDeps> {
                        let mut __tw_tools = crate::tw::__private::std::vec::Vec::new();
                        __tw_tools
                            .push(
                                crate::tw::__private::method::<__AnyDeps, Self, __TwTool_get>(self),
                            );
                        crate::tw::__private::FunctionToolset::new()
                            .with_id("cache")
                            .with_tools(__tw_tools)
                    }
                    /// The tools of this value, which they share: `get`. `toolset` keeps the value.
                    #[must_use]
                    pub(crate) fn into_toolset<
                        __AnyDeps: ::core::marker::Send + ::core::marker::Sync + 'static,
                    >(self) -> crate::tw::__private::FunctionToolset<__AnyDeps> {
                        Self::toolset::<__AnyDeps>(&crate::tw::__private::std::sync::Arc::new(self))
                    }
                }
            };
        "#]],
    );
}

#[test]
fn with_mistakes_the_block_stays_and_its_methods_are_there() {
    check(
        expand,
        quote!(nme = stock),
        quote! {
            impl<S> Store<S> {
                #[tool(retires = 1)]
                fn find(&self, #[arg(default)] a: u8) {}
            }
        },
        &expect![[r#"
            impl<S> Store<S> {
                fn find(&self, a: u8) {}
            }
            const _: () = {
                #[allow(unused_imports)]
                use tool as _;
            };
            #[allow(dead_code, unreachable_pub)]
            impl<S> Store<S> {
                pub fn toolset<__AnyDeps: ::core::marker::Send + ::core::marker::Sync + 'static>(
                    self: &::toolwright::__private::std::sync::Arc<Self>,
                ) -> ::toolwright::__private::FunctionToolset<__AnyDeps> {
                    ::core::unreachable!()
                }
                pub fn into_toolset<
                    __AnyDeps: ::core::marker::Send + ::core::marker::Sync + 'static,
                >(self) -> ::toolwright::__private::FunctionToolset<__AnyDeps> {
                    ::core::unreachable!()
                }
            }
            ::core::compile_error! {
                "unknown option `nme`; did you mean `name`?"
            }
            ::core::compile_error! {
                "unknown option `retires`; did you mean `retries`?"
            }
        "#]],
    );
}

#[test]
fn a_block_is_told_all_its_mistakes_at_once() {
    let messages = messages(
        expand,
        quote!(vis = private, id = 3),
        quote! {
            impl Store {
                #[tool]
                fn take(self, a: &str) {}
                #[tool]
                fn change(&mut self) {}
                #[tool(name = "take", type = Take, crate = tw)]
                fn generic<T>(self: Box<Self>, value: T) {}
                #[cfg_attr(unix, tool)]
                fn hidden(&self) {}
                #[tool]
                const LIMIT: u8 = 1;
                make_tools! {}
                fn toolset(&self) {}
            }
        },
    );
    expect![[r#"
        `vis` takes a visibility: `vis = pub(crate)`
        `id` takes a string: `id = "…"`
        `#[toolset]` does not see what `cfg_attr` adds: write this twice under `#[cfg(…)]`, once with `#[tool]`
        `#[tool]` goes on a function, and this is none; remove it
        `#[toolset]` cannot see what a macro makes here: put the call in an `impl` block of its own; if it makes tools, let the macro make that whole block, with `#[toolset]` on it
        a tool's parameter cannot be borrowed: take `String`
        the model may call it again: take `&self`, `self: &Arc<Self>` or `self: Arc<Self>`
        calls run side by side: take `&self`, and keep what changes in a `Mutex`, an `RwLock` or an atomic
        the model may call it again: take `&self`, `self: &Arc<Self>` or `self: Arc<Self>`
        `type` is for free functions: there is none beside a method; remove it
        `crate` is for free functions: say it once, in `#[toolset(crate = …)]`
        nobody can say what this is when the model calls the method; put it on the `impl` block, or name the type
        two tools of this toolset are called `take`; rename one: `#[tool(name = …)]`
        `#[toolset]` makes a method `toolset`, which gives the tools; rename this one, or that one by `#[toolset(name = …)]`"#]].assert_eq(&messages.join("\n"));
}

#[test]
fn a_module_in_a_file_of_its_own_is_told_to_be_written_here() {
    let messages = messages(
        expand,
        quote!(),
        quote!(
            mod bank;
        ),
    );
    expect![
        "`#[toolset]` has to see the module's items: write them here, in `mod name { … }`, and not in a file of its own"
    ]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn other_items_stay() {
    for item in [
        quote!(
            struct Store;
        ),
        quote!(impl Find for Store {}),
        quote!(impl Store {}),
    ] {
        let expansion = expand(quote!(), item.clone()).to_string();
        assert!(expansion.starts_with(&item.to_string()), "{expansion}");
        assert_eq!(messages(expand, quote!(), item).len(), 1);
    }
}

#[test]
fn a_module_gets_a_toolset_and_a_capability() {
    check(
        expand,
        quote!(),
        quote! {
            /// Money.
            pub mod bank {
                use super::Db;

                #[tool(type = Balance)]
                pub fn balance(ctx: &RunContext<Db>, account: u32) -> i64 {
                    0
                }
                #[cfg(unix)]
                #[tool]
                async fn pay() {}
                #[prepare_tools]
                fn shown(ctx: &RunContext<Db>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
                    tools
                }
                #[instructions]
                fn rules(#[ctx] ctx: &Ctx) -> String {
                    String::new()
                }
                #[instructions]
                #[cfg(unix)]
                fn manners() -> &'static str {
                    "Be polite."
                }
                fn helper() {}
                mod inner {}
            }
        },
        &expect![[r#"
            /// Money.
            pub mod bank {
                use super::Db;
                #[tool(type = Balance)]
                pub fn balance(ctx: &RunContext<Db>, account: u32) -> i64 {
                    0
                }
                #[cfg(unix)]
                #[tool]
                async fn pay() {}
                fn shown(ctx: &RunContext<Db>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
                    tools
                }
                fn rules(ctx: &Ctx) -> String {
                    String::new()
                }
                #[cfg(unix)]
                fn manners() -> &'static str {
                    "Be polite."
                }
                fn helper() {}
                mod inner {}
                /// The tools of this module: `balance`, `pay`.
                #[must_use]
                #[allow(dead_code, deprecated, unreachable_pub, private_interfaces)]
                pub fn toolset() -> ::toolwright::__private::AnyToolset<Db> {
                    let mut __tw_tools = ::toolwright::__private::std::vec::Vec::<
                        ::toolwright::__private::Tool<Db>,
                    >::new();
                    __tw_tools.push(::toolwright::__private::Tool::<Db>::typed::<Balance>());
                    #[cfg(unix)]
                    __tw_tools.push(::toolwright::__private::Tool::<Db>::typed::<pay>());
                    let __tw_toolset = ::toolwright::__private::FunctionToolset::new()
                        .with_id("bank")
                        .with_tools(__tw_tools);
                    let __tw_toolset = ::toolwright::__private::ToolsetExt::<
                        Db,
                    >::boxed(__tw_toolset);
                    let __tw_toolset = ::toolwright::__private::ToolsetExt::<
                        Db,
                    >::boxed(
                        ::toolwright::__private::ToolsetExt::<Db>::prepared(__tw_toolset, shown),
                    );
                    __tw_toolset
                }
                /// The tools of this module, with its instructions: `balance`, `pay`.
                #[allow(dead_code, deprecated, unreachable_pub, private_interfaces)]
                pub fn capability() -> ::toolwright::__private::Bundle<Db> {
                    let __tw_bundle = ::toolwright::__private::Bundle::<Db>::new()
                        .id("bank")
                        .toolset(self::toolset());
                    let __tw_bundle = __tw_bundle.instructions_fn(rules);
                    #[cfg(unix)]
                    let __tw_bundle = __tw_bundle.instructions_fn(manners);
                    __tw_bundle
                }
                const _: () = {
                    #[allow(unused_imports)]
                    use prepare_tools as _;
                    #[allow(unused_imports)]
                    use instructions as _;
                };
            }
        "#]],
    );
}

#[test]
fn a_module_is_told_all_its_mistakes_at_once() {
    let messages = messages(
        expand,
        quote!(name = bank),
        quote! {
            mod bank {
                #[tool]
                fn toolset<T>(value: T) {}
                #[tool(name = "toolset")]
                fn other(a: &str) {}
                #[cfg_attr(unix, tool)]
                fn hidden() {}
                #[prepare_tools(agent = Support)]
                fn shown() {}
                make_tools! {}
                thread_local! {}
                macro_rules! harmless { () => {} }
            }
        },
    );
    expect![[r#"
        unknown option `name`; `#[toolset]` on a module takes `id`, `vis`, `deps`, `crate`
        `#[toolset]` does not see what `cfg_attr` adds: write this twice under `#[cfg(…)]`, once with `#[tool]`
        `#[prepare_tools]` takes no options here: the function is of this module's toolset; remove them
        `#[toolset]` cannot see what a macro makes here: put the call in a module inside this one; if it makes tools, write them out, or let the macro make the whole module, with `#[toolset]` on it
        nobody can say what this is for the module's toolset; name the type in a function for each
        two tools of this toolset are called `toolset`; rename one: `#[tool(name = …)]`
        `#[toolset]` makes a function `toolset` in this module; rename this one (a tool keeps its name with `#[tool(name = "toolset")]`)"#]].assert_eq(&messages.join("\n"));
}
