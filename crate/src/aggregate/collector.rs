//! Several field paths read in one walk over a document.
//!
//! Invariant: gives exactly what each path's own evaluation would; a path that meets an array on its
//! way is reported, and the caller evaluates it by itself.

use crate::bson::{Document, Keep, PathReader, ReadValue};
use crate::expr::FieldPath;

/// The most paths one collector takes.
pub const MOST_PATHS: usize = 8;

/// What a walk found: a value for each path.
pub struct Collected<'d> {
    pub values: [ReadValue<'d>; MOST_PATHS],
    /// A bit for each path that met an array on its way.
    pub through_arrays: u32,
}

/// A set of paths, and what their reader remembers of the documents before.
#[derive(Default)]
pub struct Collector {
    reader: PathReader,
    /// How many components each path has.
    lengths: Vec<usize>,
}

impl Collector {
    /// Adds a path and gives its slot; `None` when there are too many.
    pub fn add(&mut self, path: &FieldPath) -> Option<usize> {
        if self.lengths.len() >= MOST_PATHS {
            return None;
        }
        let parts = path.parts().iter().map(|part| part.as_bytes());
        let slot = self.reader.add(parts)?;
        self.lengths.push(path.parts().len());
        Some(slot)
    }

    /// Reads all paths.
    pub fn collect<'d>(&mut self, document: Document<'d>) -> Collected<'d> {
        let mut collected = Collected {
            values: [ReadValue::MISSING; MOST_PATHS],
            through_arrays: 0,
        };
        let lengths = &self.lengths;
        let keep: &mut Keep<'_, 'd> = &mut |mut paths, read| {
            while paths != 0 {
                let slot = paths.trailing_zeros() as usize;
                paths &= paths - 1;
                if lengths.get(slot) == Some(&read.walked) {
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
