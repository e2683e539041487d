//! Documents merged field by field.

use super::super::growth::allow_document;
use super::super::node::Result;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::env::Env;
use crate::storage::KeyMap;
use std::borrow::Cow;

/// Up to this many fields are looked through one by one.
const FEW: usize = 16;

/// The fields seen so far: a later value takes the place of an earlier one of its name.
#[derive(Default)]
pub struct Merged<'a> {
    fields: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Where each name is, once there are more than a few.
    places: KeyMap,
}

impl<'a> Merged<'a> {
    /// Adds all fields of a document.
    ///
    /// # Errors
    /// Errors of `Env::checkpoint`.
    pub fn add(&mut self, document: Document<'a>, env: &dyn Env) -> Result<()> {
        for field in document.iter() {
            env.checkpoint()?;
            self.set(field.name, field.value);
        }
        Ok(())
    }

    /// Adds one field.
    pub fn set(&mut self, name: &'a str, value: ValueRef<'a>) {
        match self.find_or_take(name) {
            Some(held) => *held = value.into(),
            None => self.fields.push((name.into(), value.into())),
        }
    }

    /// The value that a name has; for a name without one, the place behind all others is its.
    fn find_or_take(&mut self, name: &str) -> Option<&mut Value<'a>> {
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
        self.fields.get_mut(held?).map(|field| &mut field.1)
    }

    /// The document of all fields.
    ///
    /// # Errors
    /// A document that would grow beyond its bound, and errors of `Env::checkpoint`.
    pub fn finish(&self, env: &dyn Env) -> Result<DocumentBuf> {
        let mut builder = DocumentBuilder::new();
        for (name, value) in &self.fields {
            builder.append(name, value.as_ref());
            allow_document(env, builder.len())?;
        }
        Ok(builder.finish())
    }
}

impl Merged<'static> {
    /// Adds a copy of one field; gives the value that it takes the place of.
    pub fn keep(&mut self, name: &str, value: ValueRef<'_>) -> Option<Value<'static>> {
        match self.find_or_take(name) {
            Some(held) => Some(std::mem::replace(held, value.to_value())),
            None => {
                self.fields.push((name.to_owned().into(), value.to_value()));
                None
            }
        }
    }
}
