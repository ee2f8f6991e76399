use toolwright::toolset;
use toolwright::toolset::AnyToolset;

macro_rules! numbers {
    ($module:ident, $number:ty, $($operation:ident = $operator:tt),*) => {
        #[toolset]
        mod $module {
            use toolwright::tool;

            $(
                #[tool(inline)]
                pub fn $operation(a: $number, b: $number) -> $number {
                    a $operator b
                }
            )*
        }
    };
}

numbers!(whole, i64, add = +, multiply = *);
numbers!(real, f64, divide = /);

fn main() {
    let _: AnyToolset<()> = whole::toolset();
    let _: AnyToolset<()> = real::toolset();
}
