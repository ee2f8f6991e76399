//! Arguments as tools read them, and what their schemas say.

mod coercion;
mod schema;
