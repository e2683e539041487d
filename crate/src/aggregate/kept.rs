//! Documents narrowed to the top-level fields that later stages read.
//!
//! Invariant: fields keep their order and their bytes.

use crate::bson::{BsonType, Document, DocumentBuilder, Keep, PathReader};

/// The fields to keep.
#[derive(Default)]
pub struct Kept {
    reader: PathReader,
    names: Vec<Box<str>>,
}

impl Kept {
    /// The fields that the paths begin with; `None` when they are too many for one walk.
    pub fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Option<Self> {
        let mut kept = Self::default();
        for path in paths {
            let name = path.split('.').next().unwrap_or_default();
            if !kept.names.iter().any(|held| &**held == name) {
                kept.reader.add(std::iter::once(name.as_bytes()))?;
                kept.names.push(name.into());
            }
        }
        Some(kept)
    }

    /// Appends what is kept of a document.
    pub fn write(&mut self, document: Document<'_>, builder: &mut DocumentBuilder) {
        self.each(document, &mut |element| {
            builder.append_raw(element);
        });
    }

    /// Hands out the elements that are kept of a document.
    pub fn each<'d>(&mut self, document: Document<'d>, take: &mut dyn FnMut(&'d [u8])) {
        if self.names.is_empty() {
            return;
        }
        let (names, bytes) = (&self.names, document.as_bytes());
        let base = bytes.as_ptr() as usize;
        let keep: &mut Keep<'_, 'd> = &mut |path, read| {
            if let Some(name) = names.get(path.trailing_zeros() as usize) {
                // Type and name lie before the value, which lies within the document's bytes.
                let value = read.value_bytes.as_ptr() as usize - base;
                let element = value - name.len() - 2..value + read.value_bytes.len();
                take(bytes.get(element).unwrap_or_default());
            }
            true
        };
        self.reader.read(bytes, keep);
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
    use crate::bson::ValueRef;
    use crate::expr::testing::{document, show};

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
