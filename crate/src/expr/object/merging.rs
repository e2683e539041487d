//! Documents merged field by field.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, Element};

/// The fields seen so far: a later value takes the place of an earlier one of its name.
#[derive(Default)]
pub struct Merged<'a> {
    fields: Vec<Element<'a>>,
}

impl<'a> Merged<'a> {
    pub fn add(&mut self, document: Document<'a>) {
        for field in document.iter() {
            match self.fields.iter_mut().find(|held| held.name == field.name) {
                Some(held) => *held = field,
                None => self.fields.push(field),
            }
        }
    }

    pub fn finish(self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        for field in self.fields {
            builder.append_raw(field.raw);
        }
        builder.finish()
    }
}
