//! Documents merged field by field.

use super::super::growth::allow_document;
use super::super::node::Result;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::env::Env;
use crate::storage::KeyMap;

/// So many fields are looked through one by one.
const FEW: usize = 16;

/// The fields seen so far: a later value takes the place of an earlier one of its name.
#[derive(Default)]
pub struct Merged<'a> {
    fields: Vec<(&'a str, ValueRef<'a>)>,
    /// Where each name is, once there are more than a few.
    places: KeyMap,
}

impl<'a> Merged<'a> {
    /// Adds all fields of a document.
    pub fn add(&mut self, document: Document<'a>) {
        for field in document.iter() {
            self.set(field.name, field.value);
        }
    }

    /// Adds one field.
    pub fn set(&mut self, name: &'a str, value: ValueRef<'a>) {
        let count = self.fields.len();
        let held = if count < FEW {
            self.fields.iter().position(|(held, _)| *held == name)
        } else {
            if count == FEW {
                for (place, (name, _)) in self.fields.iter().enumerate() {
                    self.places.find_or_insert(name.as_bytes(), place);
                }
            }
            let (place, is_new) = self.places.find_or_insert(name.as_bytes(), count);
            (!is_new).then_some(place)
        };
        match held.and_then(|place| self.fields.get_mut(place)) {
            Some(field) => field.1 = value,
            None => self.fields.push((name, value)),
        }
    }

    /// The document of all fields.
    ///
    /// # Errors
    /// What a document may not grow to, and what interrupts the command.
    pub fn finish(self, env: &dyn Env) -> Result<DocumentBuf> {
        let mut builder = DocumentBuilder::new();
        for (name, value) in self.fields {
            builder.append(name, value);
            allow_document(env, builder.len())?;
        }
        Ok(builder.finish())
    }
}
