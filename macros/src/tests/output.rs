use expect_test::expect;
use proc_macro2::TokenStream;
use quote::quote;

use super::{check, messages};
use crate::output;

fn derive(_: TokenStream, item: TokenStream) -> TokenStream {
    output::expand(item)
}

#[test]
fn each_variant_is_one_way_to_end() {
    check(
        derive,
        quote!(),
        quote! {
            /// What the agent says.
            enum Reply<T: Clone> {
                /// A piece of fruit.
                #[output(name = "fruit", retries = 2, strict)]
                Fruit(Fruit),
                Other(Vec<T>),
                Order {
                    /// How many.
                    pieces: u32,
                    r#type: Option<T>,
                },
                Nothing,
                #[text]
                Text(String),
                #[image]
                Picture(BinaryContent),
            }
        },
        &expect![[r##"
            #[automatically_derived]
            #[allow(deprecated)]
            impl<T: Clone> ::toolwright::__private::AgentOutput for Reply<T>
            where
                T: ::core::marker::Send + 'static,
                Vec<T>: ::toolwright::__private::OutputValue,
                Option<T>: ::toolwright::__private::ToolParameter,
            {
                fn spec() -> ::toolwright::__private::OutputSpec<Self> {
                    ::toolwright::__private::no_output::<Self>()
                        .or_tool(
                            ::toolwright::__private::value::<Fruit, Self>("Fruit", Self::Fruit)
                                .named("fruit")
                                .with_description("A piece of fruit.")
                                .with_strict(true)
                                .with_retries(2),
                        )
                        .or_tool(
                            ::toolwright::__private::value::<Vec<T>, Self>("Other", Self::Other),
                        )
                        .or_tool(
                            ::toolwright::__private::fields::<
                                Self,
                            >(
                                "Order",
                                ::toolwright::__private::ToolSpec::<()>::new("final_result")
                                    .param(
                                        ::toolwright::__private::parameter::<u32>("pieces")
                                            .spec()
                                            .description("How many.")
                                            .nested(),
                                    )
                                    .param(
                                        ::toolwright::__private::parameter::<Option<T>>("type")
                                            .spec()
                                            .nested(),
                                    ),
                                |__tw_reader| {
                                    let __tw_0 = ::toolwright::__private::parameter::<u32>("pieces")
                                        .read(__tw_reader);
                                    let __tw_1 = ::toolwright::__private::parameter::<
                                        Option<T>,
                                    >("type")
                                        .read(__tw_reader);
                                    ::core::option::Option::Some(Self::Order {
                                        pieces: __tw_0?,
                                        r#type: __tw_1?,
                                    })
                                },
                            ),
                        )
                        .or_tool(
                            ::toolwright::__private::fields::<
                                Self,
                            >(
                                "Nothing",
                                ::toolwright::__private::ToolSpec::<()>::new("final_result"),
                                |_| { ::core::option::Option::Some(Self::Nothing {}) },
                            ),
                        )
                        .or_text(::toolwright::__private::text::<String, Self>(Self::Text))
                        .or_image(
                            ::toolwright::__private::file::<BinaryContent, Self>(Self::Picture),
                        )
                }
            }
        "##]],
    );
}

#[test]
fn a_value_can_be_the_models_text() {
    check(
        derive,
        quote!(),
        quote! {
            #[output(prompted, crate = crate::reexport)]
            enum Reply {
                #[output(description = FRUIT)]
                Fruit(Fruit),
                #[file]
                File(File),
            }
        },
        &expect![[r##"
            #[automatically_derived]
            #[allow(deprecated)]
            impl crate::reexport::__private::AgentOutput for Reply {
                fn spec() -> crate::reexport::__private::OutputSpec<Self> {
                    crate::reexport::__private::no_output::<Self>()
                        .or_tool(
                            crate::reexport::__private::value::<Fruit, Self>("Fruit", Self::Fruit)
                                .with_description(FRUIT),
                        )
                        .or_file(crate::reexport::__private::file::<File, Self>(Self::File))
                        .prompted()
                }
            }
        "##]],
    );
}

#[test]
fn all_mistakes_of_an_enum_are_told_at_once() {
    let messages = messages(
        derive,
        quote!(),
        quote! {
            #[text]
            #[output(native, name = "x")]
            enum Reply<'a> {
                #[output(name = "", retries = -1)]
                Fruit(&'a Fruit),
                Pair(A, B),
                #[text]
                #[image]
                Both(String),
                #[output(name = "final_result_Pair")]
                Named { a: u8 },
                #[text(b)]
                #[output(strict)]
                Text,
                #[file]
                File(BinaryContent),
            }
        },
    );
    expect![[r#"
        unknown option `name`; `#[output]` under `#[derive(AgentOutput)]` takes `native`, `prompted`, `crate`
        `#[text]` goes on a variant, the one that holds it
        `#[text]` takes no options
        an output outlives the run, and owns its data; remove the lifetime
        an output owns its data: take `Fruit`
        `retries` cannot be negative; 0 is none
        the model gives fields by name: write `Pair { … }` with named fields, or hold one struct
        `Both` is `#[text]` already; remove one
        `#[text]` is for a variant that holds the model's text alone: `Text(String)`
        `strict` is for output tools, and `Text` holds the model's text; remove it
        a run has one text; remove one of the variants that are `#[text]`
        with `native` the model's text is the value, so that `Both` cannot hold it; remove one"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn what_is_no_enum_has_no_variants() {
    let structs = messages(
        derive,
        quote!(),
        quote!(
            struct Reply {
                a: u8,
            }
        ),
    );
    let unions = messages(derive, quote!(), quote!(union Reply { a: u8 }));
    expect![[r#"
        `#[derive(AgentOutput)]` goes on an enum, and this is a struct: derive `serde::Deserialize` and `schemars::JsonSchema` for it, and nothing else
        `#[derive(AgentOutput)]` goes on an enum, and this is a union"#]].assert_eq(&[structs, unions].concat().join("\n"));
}
