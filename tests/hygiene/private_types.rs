//! A function that is seen further than the types of its parameters.

// What the derive of schemars wants in scope.
use ::schemars;
use ::std::convert::Into as _;

#[derive(::serde::Deserialize, schemars::JsonSchema)]
struct Point {
    x: i64,
}

/// Says where.
#[::toolwright::tool]
#[expect(private_interfaces, reason = "this is about what is more private than the tool")]
pub(crate) fn locate(first: Point, second: ::std::option::Option<Point>) -> i64 {
    ::std::option::Option::map_or(second, first.x, |second| first.x + second.x)
}
