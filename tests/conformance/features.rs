//! The table of what each provider's API can carry, in the documentation.

use std::{env, fs};

use toolwright_tests::feature_table;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/docs/providers.md");
const BEGIN: &str = "<!-- The table is made by a test: see its end. -->\n\n";
const END: &str =
    "\n<!-- `TOOLWRIGHT_BLESS=1 cargo test -p toolwright-tests --test conformance features` makes it anew. -->";

#[test]
fn the_table_of_features_says_what_requests_hold() {
    let table = feature_table().expect("a table");
    let page = fs::read_to_string(PAGE).expect("a page");
    let (before, rest) = page.split_once(BEGIN).expect("where the table begins");
    let (written, after) = rest.split_once(END).expect("where the table ends");
    if env::var_os("TOOLWRIGHT_BLESS").is_some() {
        fs::write(PAGE, format!("{before}{BEGIN}{table}{END}{after}")).expect("a page");
    } else {
        assert_eq!(written, table, "what requests hold has changed: see the end of the table");
    }
}
