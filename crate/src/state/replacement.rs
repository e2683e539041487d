//! A collection that is to take the place of another one.

use crate::catalog::{Collection, Series};
use std::rc::Rc;

/// A collection that is filled apart, under a name of its own, and then takes its place.
pub struct Replacement {
    pub(super) collection: Collection,
    /// The namespace that it is to have.
    pub(super) place: Rc<str>,
}

impl Replacement {
    /// How measurements are gathered in it, where it is to hold buckets.
    pub fn series(&self) -> Option<Series> {
        self.collection.options.kind.buckets().cloned()
    }
}
