//! Numbers in options, as far as they are written out.

use syn::{Expr, ExprUnary, Lit, UnOp};

/// The literal that an expression is, and whether there is a minus before it.
pub(crate) fn literal(expr: &Expr) -> Option<(bool, &Lit)> {
    match expr {
        Expr::Lit(lit) => Some((false, &lit.lit)),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => Some((true, literal(expr)?.1)),
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(paren) => literal(&paren.expr),
        _ => None,
    }
}
