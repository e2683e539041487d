//! Documents narrowed to the fields or paths that later stages read.
//!
//! Invariant: whole fields keep their order and their bytes. A document narrowed to paths is for expressions alone:
//! each path, and any below it, has the same value as in the whole document, except that an empty document on the way
//! may be absent.

use crate::bson::{BsonType, Document, DocumentBuilder, Keep, PathReader, extend, write_length};
use crate::expr::EndPlace;

/// The fields or paths to keep.
#[derive(Default)]
pub struct Kept {
    reader: PathReader,
    /// In the order of the reader's numbers.
    paths: Vec<Vec<Box<str>>>,
    /// Where the documents begin that are being written.
    starts: Vec<usize>,
}

impl Kept {
    /// The fields that the paths begin with; `None` when they are too many for one walk.
    pub fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Option<Self> {
        let mut kept = Self::default();
        for path in paths {
            let name = path.split('.').next().unwrap_or_default();
            if !kept.paths.iter().any(|held| *held[0] == *name) {
                kept.add(name)?;
            }
        }
        Some(kept)
    }

    /// The paths, of which none lies below another, and nothing beside them; `None` when they are too many for one
    /// walk.
    pub fn of_paths<'p>(paths: impl Iterator<Item = &'p str>) -> Option<Self> {
        let mut kept = Self::default();
        for path in paths {
            kept.add(path)?;
        }
        Some(kept)
    }

    fn add(&mut self, path: &str) -> Option<()> {
        self.reader.add(path.split('.').map(str::as_bytes))?;
        self.paths.push(path.split('.').map(Box::from).collect());
        Some(())
    }

    /// The kept values, in the order of `ends`.
    pub fn paths(&self) -> &[Vec<Box<str>>] {
        &self.paths
    }

    /// Appends the value at each path in a document, and where it lies in the bytes then. False, and nothing appended,
    /// where an array lies on the way.
    pub fn ends(
        &mut self,
        document: Document<'_>,
        bytes: &mut Vec<u8>,
        places: &mut Vec<EndPlace>,
    ) -> bool {
        let (before, first, paths) = (bytes.len(), places.len(), &self.paths);
        places.resize(first + paths.len(), EndPlace::MISSING);
        let keep: &mut Keep<'_, '_> = &mut |found, read| {
            let path = found.trailing_zeros() as usize;
            if paths.get(path).map(Vec::len) != Some(read.walked) {
                return false;
            }
            let start = bytes.len() as u32;
            extend(bytes, read.value_bytes);
            if let Some(place) = places.get_mut(first + path) {
                *place = EndPlace {
                    kind: read.kind,
                    start,
                    end: bytes.len() as u32,
                };
            }
            true
        };
        let is_plain = self.reader.read(document.as_bytes(), keep);
        if !is_plain {
            bytes.truncate(before);
            places.truncate(first);
        }
        is_plain
    }

    /// Appends the kept values of a document.
    pub fn write(&mut self, document: Document<'_>, builder: &mut DocumentBuilder) {
        builder.append_by(|bytes| self.append(document, bytes));
    }

    /// Appends the elements that are kept of a document.
    pub fn append(&mut self, document: Document<'_>, out: &mut Vec<u8>) {
        if self.paths.is_empty() {
            return;
        }
        let (paths, starts, bytes) = (&self.paths, &mut self.starts, document.as_bytes());
        let base = bytes.as_ptr() as usize;
        // The names of the documents that are being written.
        let mut open: &[Box<str>] = &[];
        let keep: &mut Keep<'_, '_> = &mut |found, read| {
            // Where an array is on the way of several paths, they agree up to there.
            let path = paths.get(found.trailing_zeros() as usize);
            let Some((name, outer)) = path
                .and_then(|path| path.get(..read.walked))
                .and_then(<[_]>::split_last)
            else {
                return true;
            };
            if !(outer.is_empty() && open.is_empty()) {
                let shared = { outer.iter().zip(open) }
                    .take_while(|(one, other)| one == other)
                    .count();
                close(starts, shared, out);
                for name in &outer[shared..] {
                    out.push(BsonType::Document as u8);
                    extend(out, name.as_bytes());
                    starts.push(out.len() + 1);
                    out.extend_from_slice(&[0; 5]);
                }
                open = outer;
            }
            // Type and name lie before the value, which lies within the document's bytes.
            let value = read.value_bytes.as_ptr() as usize - base;
            let element = value - name.len() - 2..value + read.value_bytes.len();
            extend(out, bytes.get(element).unwrap_or_default());
            true
        };
        self.reader.read(bytes, keep);
        close(&mut self.starts, 0, out);
    }
}

/// Ends the innermost documents until so many are open.
fn close(starts: &mut Vec<usize>, left: usize, out: &mut Vec<u8>) {
    while starts.len() > left
        && let Some(start) = starts.pop()
    {
        out.push(0);
        write_length(out, start);
    }
}

/// Writes an element: type, name, value.
pub fn write_element(element: &mut Vec<u8>, kind: BsonType, name: &str, value: &[u8]) {
    element.clear();
    element.push(kind as u8);
    element.extend_from_slice(name.as_bytes());
    element.push(0);
    element.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::{ReadValue, ValueRef};
    use crate::expr::testing::{document, show};

    #[test]
    fn keeps_what_paths_lead_to() {
        let mut kept = Kept::of_paths(["a", "c.d.e", "c.d.f", "c.g", "h.i"].into_iter());
        let kept = kept.as_mut().expect("few paths");
        for (input, expected) in [
            (
                "{a: 1, b: 2, c: {d: {e: 3, x: 4, f: 5}, x: 6, g: 7}}",
                "{a: 1, c: {d: {e: 3, f: 5}, g: 7}}",
            ),
            // Arrays on the way are kept whole.
            (
                "{c: {d: [{e: 1, x: 2}, 3], g: 0}}",
                "{c: {d: [{e: 1, x: 2}, 3], g: 0}}",
            ),
            ("{h: [{x: 1}], c: [1]}", "{h: [{x: 1}], c: [1]}"),
            (
                "{h: {i: {x: 1}}, c: {g: 1, d: {e: 2}}}",
                "{h: {i: {x: 1}}, c: {g: 1, d: {e: 2}}}",
            ),
            ("{h: {x: 1}, c: 5}", "{}"),
        ] {
            let mut builder = DocumentBuilder::new();
            kept.write(document(input).as_document(), &mut builder);
            assert_eq!(show(ValueRef::from(&builder.finish())), expected);
        }
    }

    #[test]
    fn says_where_paths_lead() {
        let mut kept = Kept::of_paths(["a", "c.d"].into_iter()).expect("few paths");
        for (input, expected) in [
            ("{a: 1, c: {x: 2, d: 3}}", Some(["1", "3"])),
            ("{c: {d: [1]}}", Some(["", "[1]"])),
            ("{a: [2], c: 5}", Some(["[2]", ""])),
            ("{c: [{d: 1}], a: 1}", None),
            ("{a: 1, c: [{d: 1}]}", None),
        ] {
            let (mut bytes, mut places) = (vec![7], vec![EndPlace::MISSING]);
            let document = document(input);
            let is_plain = kept.ends(document.as_document(), &mut bytes, &mut places);
            assert_eq!(is_plain, expected.is_some(), "{input}");
            let Some(expected) = expected else {
                assert_eq!((bytes.len(), places.len()), (1, 1));
                continue;
            };
            let found = places[1..].iter().map(|place| {
                let value_bytes = &bytes[place.start as usize..place.end as usize];
                let (kind, walked) = (place.kind, 0);
                let read = ReadValue {
                    kind,
                    value_bytes,
                    walked,
                };
                match read.value() {
                    ValueRef::Missing => String::new(),
                    value => show(value),
                }
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{input}");
        }
    }

    #[test]
    fn keeps_whole_fields_in_their_order() {
        let mut kept = Kept::of(["c.d", "a", "c.e", "none"].into_iter()).expect("few paths");
        for (input, expected) in [
            ("{a: 1, b: 2, c: {d: 3, f: 4}}", "{a: 1, c: {d: 3, f: 4}}"),
            ("{c: [1], b: 2, a: null}", "{c: [1], a: null}"),
            ("{b: 2}", "{}"),
        ] {
            let mut builder = DocumentBuilder::new();
            kept.write(document(input).as_document(), &mut builder);
            assert_eq!(show(ValueRef::from(&builder.finish())), expected);
        }
    }
}
