use expect_test::expect;
use quote::quote;

use super::check;
use crate::tool::expand;

#[test]
fn a_small_tool_has_a_small_expansion() {
    check(
        expand,
        quote!(retries = 2),
        quote! {
            /// Adds.
            pub fn add(ctx: &RunContext<i32>, #[doc = " one"] a: i64) -> i64 {
                a
            }
        },
        &expect![[r#"
            /// Adds.
            pub fn add(ctx: &RunContext<i32>, a: i64) -> i64 {
                a
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            pub struct add {}
            #[allow(deprecated)]
            const _: () = {
                impl ::toolwright::__private::NamedTool for add {
                    const NAME: &'static str = "add";
                }
                impl ::toolwright::__private::TypedTool<i32> for add {
                    fn spec() -> ::toolwright::__private::ToolSpec<i32> {
                        ::toolwright::__private::ToolSpec::<i32>::new("add")
                            .description("Adds.")
                            .param(
                                ::toolwright::__private::parameter::<i64>("a")
                                    .spec()
                                    .description("one"),
                            )
                            .retries(2)
                    }
                    fn read(
                        __tw_reader: &mut ::toolwright::__private::ArgsReader<'_>,
                    ) -> ::core::option::Option<::toolwright::__private::AnyArgs> {
                        let __tw_0 = ::toolwright::__private::parameter::<i64>("a")
                            .read(__tw_reader);
                        ::core::option::Option::Some(::toolwright::__private::hide((__tw_0?,)))
                    }
                    fn call(
                        _: (),
                        __tw_ctx: ::toolwright::__private::RunContext<i32>,
                        __tw_args: ::toolwright::__private::AnyArgs,
                    ) -> ::toolwright::__private::Running {
                        #[allow(unused_imports)]
                        use ::toolwright::__private::{FinishPlain as _, SplitPlain as _};
                        ::toolwright::__private::blocking_with(
                            __tw_args,
                            __tw_ctx,
                            move |(__tw_0,): (i64,), __tw_ctx| {
                                ::toolwright::__private::Returned(add(&__tw_ctx, __tw_0))
                                    .split()
                                    .and_then(|__tw_value| __tw_value.finish())
                            },
                        )
                    }
                }
            };
        "#]],
    );
}

#[test]
fn a_generic_tool_without_a_context() {
    check(
        expand,
        quote!(crate = crate::tw, inline, prepare = shown),
        quote! {
            fn echo<'a, T: Serialize + 'a, const N: usize>(#[arg(default)] value: T, text: Cow<'a, str>) -> [T; N]
            where
                T: Copy,
            {
                [value; N]
            }
        },
        &expect![[r#"
            fn echo<'a, T: Serialize + 'a, const N: usize>(value: T, text: Cow<'a, str>) -> [T; N]
            where
                T: Copy,
            {
                [value; N]
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            struct echo<T, const N: usize> {
                __tw_marker: ::core::marker::PhantomData<fn() -> (T,)>,
            }
            #[allow(deprecated)]
            const _: () = {
                fn __tw_default_0<T, const N: usize>() -> T
                where
                    T: 'static + Serialize + 'static,
                    T: Copy,
                    T: crate::tw::__private::ToolParameter,
                {
                    ::core::default::Default::default()
                }
                impl<T, const N: usize> crate::tw::__private::NamedTool for echo<T, N>
                where
                    T: 'static + Serialize + 'static,
                    T: Copy,
                    T: crate::tw::__private::ToolParameter,
                {
                    const NAME: &'static str = "echo";
                }
                impl<
                    __AnyDeps: 'static,
                    T,
                    const N: usize,
                > crate::tw::__private::TypedTool<__AnyDeps> for echo<T, N>
                where
                    T: 'static + Serialize + 'static,
                    T: Copy,
                    T: crate::tw::__private::ToolParameter,
                {
                    fn spec() -> crate::tw::__private::ToolSpec<__AnyDeps> {
                        crate::tw::__private::ToolSpec::<__AnyDeps>::new("echo")
                            .param({
                                #[allow(unused_imports)]
                                use crate::tw::__private::HiddenDefault as _;
                                crate::tw::__private::DefaultValue(&__tw_default_0::<T, N>())
                                    .on(crate::tw::__private::parameter::<T>("value").spec())
                            })
                            .param(
                                crate::tw::__private::parameter::<Cow<'static, str>>("text").spec(),
                            )
                            .prepare(shown)
                    }
                    fn read(
                        __tw_reader: &mut crate::tw::__private::ArgsReader<'_>,
                    ) -> ::core::option::Option<crate::tw::__private::AnyArgs> {
                        let __tw_0 = crate::tw::__private::parameter::<T>("value")
                            .read_or(__tw_reader, || __tw_default_0::<T, N>());
                        let __tw_1 = crate::tw::__private::parameter::<Cow<'static, str>>("text")
                            .read(__tw_reader);
                        ::core::option::Option::Some(crate::tw::__private::hide((__tw_0?, __tw_1?)))
                    }
                    fn call(
                        _: (),
                        _: crate::tw::__private::RunContext<__AnyDeps>,
                        __tw_args: crate::tw::__private::AnyArgs,
                    ) -> crate::tw::__private::Running {
                        #[allow(unused_imports)]
                        use crate::tw::__private::{FinishPlain as _, SplitPlain as _};
                        crate::tw::__private::inline(
                            __tw_args,
                            |(__tw_0, __tw_1): (T, Cow<'static, str>)| {
                                crate::tw::__private::Returned(echo::<T, N>(__tw_0, __tw_1))
                                    .split()
                                    .and_then(|__tw_value| __tw_value.finish())
                            },
                        )
                    }
                }
            };
        "#]],
    );
}

#[test]
fn attributes_for_serde_and_schemars_make_a_wrapper() {
    check(
        expand,
        quote!(timeout = 1.5, metadata = {"a": 1}, args_validator = positive),
        quote! {
            #[cfg(unix)]
            async fn wait(#[ctx] ctx: Ctx, #[arg(default = 1)] #[schemars(range(min = 1))] seconds: u8) {}
        },
        &expect![[r##"
            #[cfg(unix)]
            async fn wait(ctx: Ctx, seconds: u8) {}
            #[cfg(unix)]
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            struct wait {}
            #[cfg(unix)]
            #[allow(deprecated)]
            const _: () = {
                #[allow(unused_imports)]
                use ::core::convert::Into as _;
                #[derive(
                    ::toolwright::__private::serde::Deserialize,
                    ::toolwright::__private::schemars::JsonSchema
                )]
                #[serde(crate = ":: toolwright :: __private :: serde", transparent)]
                #[schemars(crate = ":: toolwright :: __private :: schemars", inline)]
                struct __TwParameter0(#[schemars(range(min = 1))] u8);
                fn __tw_default_0() -> u8
                where
                    Ctx: ::toolwright::__private::Context,
                {
                    1
                }
                impl ::toolwright::__private::NamedTool for wait
                where
                    Ctx: ::toolwright::__private::Context,
                {
                    const NAME: &'static str = "wait";
                }
                impl ::toolwright::__private::TypedTool<
                    <Ctx as ::toolwright::__private::Context>::Deps,
                > for wait
                where
                    Ctx: ::toolwright::__private::Context,
                {
                    fn spec() -> ::toolwright::__private::ToolSpec<
                        <Ctx as ::toolwright::__private::Context>::Deps,
                    > {
                        ::toolwright::__private::ToolSpec::<
                            <Ctx as ::toolwright::__private::Context>::Deps,
                        >::new("wait")
                            .param({
                                #[allow(unused_imports)]
                                use ::toolwright::__private::HiddenDefault as _;
                                ::toolwright::__private::DefaultValue(&__tw_default_0())
                                    .on(
                                        ::toolwright::__private::parameter::<
                                            __TwParameter0,
                                        >("seconds")
                                            .spec(),
                                    )
                            })
                            .timeout(::core::time::Duration::from_secs_f64(1.5))
                            .metadata({
                                #[allow(unused_imports)]
                                use ::core::convert::Into as _;
                                ::toolwright::__private::serde_json::json!({ "a" : 1 })
                            })
                    }
                    fn read(
                        __tw_reader: &mut ::toolwright::__private::ArgsReader<'_>,
                    ) -> ::core::option::Option<::toolwright::__private::AnyArgs> {
                        let __tw_0 = ::toolwright::__private::parameter::<__TwParameter0>("seconds")
                            .read_or(__tw_reader, || __TwParameter0(__tw_default_0()));
                        ::core::option::Option::Some(::toolwright::__private::hide((__tw_0?.0,)))
                    }
                    fn check(
                        __tw_ctx: &::toolwright::__private::RunContext<
                            <Ctx as ::toolwright::__private::Context>::Deps,
                        >,
                        __tw_args: &(dyn ::core::any::Any + ::core::marker::Send),
                    ) -> ::toolwright::__private::Later<
                        ::core::result::Result<(), ::toolwright::__private::BoxError>,
                    > {
                        ::toolwright::__private::check::<
                            <Ctx as ::toolwright::__private::Context>::Deps,
                            (u8,),
                            _,
                        >(positive, __tw_ctx, __tw_args)
                    }
                    fn call(
                        _: (),
                        __tw_ctx: ::toolwright::__private::RunContext<
                            <Ctx as ::toolwright::__private::Context>::Deps,
                        >,
                        __tw_args: ::toolwright::__private::AnyArgs,
                    ) -> ::toolwright::__private::Running {
                        #[allow(unused_imports)]
                        use ::toolwright::__private::{FinishPlain as _, SplitPlain as _};
                        ::toolwright::__private::future(
                            __tw_args,
                            |(__tw_0,): (u8,)| async move {
                                ::toolwright::__private::Returned(
                                        wait(
                                                <Ctx as ::toolwright::__private::Context>::of(__tw_ctx),
                                                __tw_0,
                                            )
                                            .await,
                                    )
                                    .split()
                                    .and_then(|__tw_value| __tw_value.finish())
                            },
                        )
                    }
                }
            };
        "##]],
    );
}
