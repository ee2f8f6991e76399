use expect_test::expect;
use quote::quote;

use super::check;
use crate::prepare::expand_tools;

#[test]
fn a_hook_stays_and_is_checked() {
    check(
        expand_tools,
        quote!(),
        quote! {
            async fn hook<D: Send + Sync + 'static>(
                ctx: RunContext<D>,
                tools: Vec<ToolDefinition>,
            ) -> Option<Vec<ToolDefinition>> {
                Some(tools)
            }
        },
        &expect![[r#"
            async fn hook<D: Send + Sync + 'static>(
                ctx: RunContext<D>,
                tools: Vec<ToolDefinition>,
            ) -> Option<Vec<ToolDefinition>> {
                Some(tools)
            }
            const _: () = {
                #[allow(dead_code, clippy::extra_unused_lifetimes)]
                fn __tw_check<D: Send + Sync + 'static>() {
                    let _ = ::toolwright::__private::deps::<D>;
                    let _ = ::toolwright::__private::tool_list::<Vec<ToolDefinition>>;
                    let _ = ::toolwright::__private::prepared_list::<Option<Vec<ToolDefinition>>>;
                    ::toolwright::__private::prepare_future(hook::<D>);
                }
            };
        "#]],
    );
}
