//! How what came of a case is compared with what must come of it.

mod mentions;
mod messages;
mod requests;
mod timeline;
mod values;

pub(crate) use mentions::mentions;
pub(crate) use messages::messages;
pub(crate) use requests::requests;
pub(crate) use timeline::{Moment, Place, timeline};
pub(crate) use values::{Difference, same_but_empties, same_but_nulls};
