use expect_test::expect;
use quote::quote;

use super::{check, messages};
use crate::{prepare, tool};

#[test]
fn all_mistakes_are_told_at_once() {
    let messages = messages(
        tool::expand,
        quote!(retires = 1, timeout = 0, strict, strict, name = 3),
        quote! {
            unsafe fn f(a: &str, (b, c): (i64, i64), #[arg(deflaut)] d: u8) {}
        },
    );
    expect![[r#"
        unknown option `retires`; did you mean `retries`?
        `strict` was given twice; remove one
        `name` takes a string: `name = "…"`
        the model passes parameters by name: name this one, and take it apart in the body
        unknown option `deflaut`; did you mean `default`?
        an `unsafe fn` cannot be a tool; give the model a safe function that wraps it
        `timeout` must be more than 0 seconds
        a tool's parameter cannot be borrowed: take `String`"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn a_hook_is_told_all_its_mistakes_at_once() {
    let messages = messages(
        prepare::expand_tools,
        quote!(name = "f"),
        quote!(
            async fn f(ctx: &RunContext<()>, tools: Vec<ToolDefinition>, more: u8) {}
        ),
    );
    expect![[r#"
        unknown option `name`; `#[prepare_tools]` takes `agent`, `order`, `crate`
        an `async` hook takes the context by value: write `RunContext<…>`
        a prepare hook takes the context and the tools, and nothing else; remove this
        a prepare hook returns the tools of the step: add `-> Vec<ToolDefinition>`"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn with_mistakes_the_function_stays_and_the_tool_does_nothing() {
    check(
        tool::expand,
        quote!(retires = 1),
        quote! {
            fn f<T>(#[arg(default)] a: T) {}
        },
        &expect![[r#"
            fn f<T>(a: T) {}
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            struct f<T> {
                __tw_marker: ::core::marker::PhantomData<fn() -> (T,)>,
            }
            impl<__AnyDeps: 'static, T> ::toolwright::__private::TypedTool<__AnyDeps> for f<T>
            where
                Self: 'static,
            {
                fn spec() -> ::toolwright::__private::ToolSpec<__AnyDeps> {
                    ::core::unreachable!()
                }
                fn read(
                    _: &mut ::toolwright::__private::ArgsReader<'_>,
                ) -> ::core::option::Option<::toolwright::__private::AnyArgs> {
                    ::core::option::Option::None
                }
                fn call(
                    _: (),
                    _: ::toolwright::__private::RunContext<__AnyDeps>,
                    _: ::toolwright::__private::AnyArgs,
                ) -> ::toolwright::__private::Running {
                    ::core::unreachable!()
                }
            }
            ::core::compile_error! {
                "unknown option `retires`; did you mean `retries`?"
            }
        "#]],
    );
}

#[test]
fn an_item_of_another_kind_stays() {
    check(
        tool::expand,
        quote!(),
        quote!(
            struct S;
        ),
        &expect![[r#"
            struct S;
            ::core::compile_error! {
                "`#[tool]` goes on a function, and this is a struct"
            }
        "#]],
    );
}
