//! Several field paths read in one walk over a document.
//!
//! Invariant: gives exactly what each path's own evaluation would; a path that meets an array on its
//! way is reported, and the caller evaluates it by itself.

use crate::bson::{Document, ValueRef};
use crate::expr::FieldPath;

/// The most paths one collector takes.
pub const MOST_PATHS: usize = 8;

/// What a walk found: a value for each path.
pub struct Collected<'d> {
    pub values: [ValueRef<'d>; MOST_PATHS],
    /// A bit for each path that met an array on its way.
    pub through_arrays: u32,
}

/// A set of paths as a tree of names.
#[derive(Default)]
pub struct Collector {
    branches: Vec<Branch>,
    count: usize,
}

struct Branch {
    name: Box<[u8]>,
    /// The paths that end here.
    slots: Vec<usize>,
    below: Vec<Branch>,
    /// The paths that end here or below.
    all: u32,
}

impl Collector {
    /// Adds a path and gives its slot; `None` when there are too many.
    pub fn add(&mut self, path: &FieldPath) -> Option<usize> {
        if self.count >= MOST_PATHS || path.is_empty() {
            return None;
        }
        let slot = self.count;
        self.count += 1;
        let mut branches = &mut self.branches;
        let last = path.parts().len() - 1;
        for (depth, part) in path.parts().iter().enumerate() {
            let name = part.as_bytes();
            let position = match branches.iter().position(|held| &*held.name == name) {
                Some(position) => position,
                None => {
                    branches.push(Branch {
                        name: name.into(),
                        slots: Vec::new(),
                        below: Vec::new(),
                        all: 0,
                    });
                    branches.len() - 1
                }
            };
            let branch = &mut branches[position];
            branch.all |= 1 << slot;
            if depth == last {
                branch.slots.push(slot);
            }
            branches = &mut branch.below;
        }
        Some(slot)
    }

    /// Reads all paths.
    pub fn collect<'d>(&self, document: Document<'d>) -> Collected<'d> {
        let mut collected = Collected {
            values: [ValueRef::Missing; MOST_PATHS],
            through_arrays: 0,
        };
        walk(&self.branches, document, &mut collected);
        collected
    }
}

fn walk<'d>(branches: &[Branch], document: Document<'d>, collected: &mut Collected<'d>) {
    let mut seen = 0_u32;
    for element in document.raw_elements() {
        let Some(branch) = branches.iter().find(|branch| {
            // Most names differ in their first byte: that spares the call of a comparison.
            branch.name.first() == element.name.first() && *branch.name == *element.name
        }) else {
            continue;
        };
        if seen & branch.all != 0 {
            continue;
        }
        seen |= branch.all;
        let value = element.value();
        for slot in &branch.slots {
            collected.values[*slot] = value;
        }
        if !branch.below.is_empty() {
            match value {
                ValueRef::Document(inner) => walk(&branch.below, inner, collected),
                ValueRef::Array(_) => {
                    for below in &branch.below {
                        collected.through_arrays |= below.all;
                    }
                }
                _ => {}
            }
        }
        if branches.iter().all(|branch| seen & branch.all != 0) {
            break;
        }
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
        let shown: Vec<String> = found.values[..5].iter().map(|value| show(*value)).collect();
        assert_eq!(shown, ["1", "'x'", "{b: 1, c: 2}", "missing", "missing"]);
        assert_eq!(found.through_arrays, 1 << 3);
    }
}
