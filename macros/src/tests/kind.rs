use expect_test::expect;
use quote::quote;

use super::{check, messages};
use crate::{kind, tool};

#[test]
fn a_kind_is_in_the_list_of_all_kinds() {
    check(
        kind::expand,
        quote!("inventory.lookup", args = LookupArgs),
        quote! {
            /// Looks up.
            pub struct Lookup;
        },
        &expect![[r##"
            #[allow(dead_code)]
            /// Looks up.
            pub struct Lookup;
            const _: () = {
                impl ::toolwright::__private::ToolKind for Lookup {
                    const ID: &'static ::core::primitive::str = "inventory.lookup";
                    type Args = LookupArgs;
                    type Content = ::toolwright::__private::AnyShape;
                }
                #[::toolwright::__private::linkme::distributed_slice(
                    ::toolwright::__private::TOOL_KINDS
                )]
                #[linkme(crate = ::toolwright::__private::linkme)]
                static __TW_KIND: fn() -> ::toolwright::__private::KindDefinition = ::toolwright::__private::KindDefinition::of::<
                    Lookup,
                >;
            };
        "##]],
    );
}

#[test]
fn a_tool_of_a_kind_is_checked_where_it_is_called() {
    check(
        tool::expand,
        quote!(tool_kind = Lookup, unless_tool_kind = "inventory.find", inline),
        quote! {
            fn look_up(args: LookupArgs) -> bool {
                true
            }
        },
        &expect![[r#"
            fn look_up(args: LookupArgs) -> bool {
                true
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            struct look_up {}
            #[allow(deprecated)]
            const _: () = {
                impl ::toolwright::__private::NamedTool for look_up {
                    const NAME: &'static str = "look_up";
                }
                impl<__AnyDeps: 'static> ::toolwright::__private::TypedTool<__AnyDeps> for look_up {
                    fn spec() -> ::toolwright::__private::ToolSpec<__AnyDeps> {
                        {
                            #[allow(unused_imports)]
                            use ::toolwright::__private::NoKind as _;
                            ::toolwright::__private::KindOf::<Lookup>::new()
                                .on(
                                    ::toolwright::__private::ToolSpec::<__AnyDeps>::new("look_up")
                                        .param(
                                            ::toolwright::__private::parameter::<LookupArgs>("args")
                                                .spec(),
                                        )
                                        .unless_tool_kind_id("inventory.find"),
                                )
                        }
                    }
                    fn read(
                        __tw_reader: &mut ::toolwright::__private::ArgsReader<'_>,
                    ) -> ::core::option::Option<::toolwright::__private::AnyArgs> {
                        let __tw_0 = ::toolwright::__private::parameter::<LookupArgs>("args")
                            .read(__tw_reader);
                        ::core::option::Option::Some(::toolwright::__private::hide((__tw_0?,)))
                    }
                    fn call(
                        _: (),
                        _: ::toolwright::__private::RunContext<__AnyDeps>,
                        __tw_args: ::toolwright::__private::AnyArgs,
                    ) -> ::toolwright::__private::Running {
                        #[allow(unused_imports)]
                        use ::toolwright::__private::{FinishPlain as _, SplitPlain as _};
                        #[allow(unused_imports)]
                        use ::toolwright::__private::{FitsWhole as _, OfKindPlain as _};
                        let __tw_kind = ::toolwright::__private::kind::<Lookup>();
                        {
                            let __tw_kind = __tw_kind;
                            ::toolwright::__private::Sole::<LookupArgs>::new().fits(__tw_kind);
                        }
                        let __tw_kind = __tw_kind;
                        ::toolwright::__private::inline(
                            __tw_args,
                            |(__tw_0,): (LookupArgs,)| {
                                ::toolwright::__private::Returned(look_up(__tw_0))
                                    .split()
                                    .and_then(|__tw_value| __tw_value.of_kind(__tw_kind).finish())
                            },
                        )
                    }
                }
            };
        "#]],
    );
}

#[test]
fn all_mistakes_of_a_kind_are_told_at_once() {
    let messages = messages(
        kind::expand,
        quote!("lookup", content = impl Sized, args = &'static str, arg = u8),
        quote! {
            #[tool_kind("inventory.find")]
            struct Lookup<T>;
        },
    );
    expect![[r#"
        unknown option `arg`; did you mean `args`?
        a kind's id has a namespace and a name: `"namespace.lookup"`
        a kind has one id, and so it is one type; remove the generic parameters
        `#[tool_kind]` was given twice; remove one
        `args` is read from histories, and owns its data: take `String`
        `content` is read from histories: name a type, instead of `impl`"#]]
    .assert_eq(&messages.join("\n"));
}
