//! Several field paths read in one walk over a document.
//!
//! Invariant: gives exactly the values of each path's own evaluation; a path that meets an array on its way is
//! reported, and the caller evaluates it by itself. A stage between may have bound values to paths, in the place of the
//! document's own: slots have those already, and the evaluating stage binds them.

use crate::bson::{Document, Keep, PathReader, ReadValue, ValueRef};
use crate::env::Env;
use crate::expr::{Bound, FieldPath, Scope};

/// The most paths one collector takes.
pub const MOST_PATHS: usize = 8;

/// The values of one walk: one for each path.
#[derive(Clone, Copy)]
pub struct Collected<'d> {
    pub document: Document<'d>,
    pub values: [ReadValue<'d>; MOST_PATHS],
    /// A bit for each path that met an array on its way.
    pub through_arrays: u32,
}

impl<'d> Collected<'d> {
    /// Puts a value into a slot.
    pub fn set(&mut self, slot: usize, value: ReadValue<'d>) {
        if let Some(place) = self.values.get_mut(slot) {
            *place = value;
        }
        self.through_arrays &= !(1 << slot);
    }

    /// The value read into a slot, unless the path met an array.
    #[inline]
    pub fn plain(&self, slot: usize) -> Option<&ReadValue<'d>> {
        if self.through_arrays >> slot & 1 == 1 {
            return None;
        }
        self.values.get(slot)
    }

    /// The scope in which expressions are evaluated.
    #[inline]
    pub fn scope<'v>(&'v self, bound: Option<&'v Bound<'v>>, env: &'v dyn Env) -> Scope<'v> {
        Scope {
            bound,
            ..Scope::of(ValueRef::Document(self.document), env)
        }
    }
}

/// A set of paths, and their reader, which goes by the shape of the documents before.
#[derive(Default)]
pub struct Collector {
    reader: PathReader,
    paths: Vec<FieldPath>,
}

impl Collector {
    /// Adds a path and gives its slot; `None` when there are too many.
    pub fn add(&mut self, path: &FieldPath) -> Option<usize> {
        if self.paths.len() >= MOST_PATHS {
            return None;
        }
        let parts = path.parts().iter().map(|part| part.as_bytes());
        let slot = self.reader.add(parts)?;
        self.paths.push(path.clone());
        Some(slot)
    }

    /// The paths, in the order of their slots.
    pub fn paths(&self) -> &[FieldPath] {
        &self.paths
    }

    /// Reads all paths.
    pub fn collect<'d>(&mut self, document: Document<'d>) -> Collected<'d> {
        let mut collected = Collected {
            document,
            values: [ReadValue::MISSING; MOST_PATHS],
            through_arrays: 0,
        };
        let held = &self.paths;
        let keep: &mut Keep<'_, 'd> = &mut |mut paths, read| {
            while paths != 0 {
                let slot = paths.trailing_zeros() as usize;
                paths &= paths - 1;
                if held
                    .get(slot)
                    .is_some_and(|path| path.parts().len() == read.walked)
                {
                    if let Some(place) = collected.values.get_mut(slot) {
                        *place = read;
                    }
                } else {
                    collected.through_arrays |= 1 << slot;
                }
            }
            true
        };
        self.reader.read(document.as_bytes(), keep);
        collected
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::testing::{document, show};

    #[test]
    fn reads_every_path_in_one_walk() {
        let mut collector = Collector::default();
        for path in ["a.b", "c", "a", "d.e", "a.x"] {
            let path = FieldPath::parse(path).expect("a valid path");
            assert!(collector.add(&path).is_some());
        }
        let input = document("{z: 0, a: {b: 1, c: 2}, d: [{e: 3}], c: 'x'}");
        let found = collector.collect(input.as_document());
        let shown: Vec<String> = found.values[..5]
            .iter()
            .map(|value| show(value.value()))
            .collect();
        assert_eq!(shown, ["1", "'x'", "{b: 1, c: 2}", "missing", "missing"]);
        assert_eq!(found.through_arrays, 1 << 3);
    }
}
