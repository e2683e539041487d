//! Applying a projection's tree to a document's bytes.
//!
//! Invariant: fields that stay are copied as whole slices in the document's order; computed fields follow, in the
//! specification's order, unless they replace a field in a document that keeps the fields that are not named.

use super::tree::{Child, Node};
use crate::bson::document::RawElement;
use crate::bson::{Array, BsonType, Document, DocumentBuilder};
use crate::error::CommandError;
use crate::expr::Scope;
use crate::query::evaluate::MatchDetails;
use crate::query::matcher::Matcher;

/// The names of an array's items, made without allocation.
#[derive(Default)]
pub struct Positions {
    next: usize,
    digits: [u8; 20],
}

impl Positions {
    /// The next item's name: "0", "1", …
    pub fn next_name(&mut self) -> &str {
        let mut rest = self.next;
        let mut start = self.digits.len();
        loop {
            start -= 1;
            self.digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.next += 1;
        std::str::from_utf8(&self.digits[start..]).unwrap_or("0")
    }
}

/// The facts of one application that all levels of the tree share.
pub struct Application<'a> {
    /// Whether fields that the tree does not name stay.
    pub keeps_others: bool,
    pub scope: &'a Scope<'a>,
}

impl Application<'_> {
    /// Writes a document's projection into an open document.
    pub fn document(
        &self,
        node: &Node,
        document: Document<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        for element in document.raw_elements() {
            match node.get(element.name) {
                None if self.keeps_others => {
                    builder.append_raw(element.raw);
                }
                None | Some(Child::Exclude) => {}
                Some(Child::Include) => {
                    builder.append_raw(element.raw);
                }
                Some(child) => self.field(child, &element, builder)?,
            }
        }
        if node.computes {
            self.computed(node, Some(document), builder)?;
        }
        Ok(())
    }

    fn field(
        &self,
        child: &Child,
        element: &RawElement<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        let name = std::str::from_utf8(element.name).unwrap_or_default();
        match child {
            Child::Nested(node) => self.nested(node, name, element, builder),
            Child::Slice(slice) if element.kind == BsonType::Array => {
                builder.begin_array(name);
                slice.append(Array::from_valid_bytes(element.value_bytes), builder);
                builder.end();
                Ok(())
            }
            Child::Slice(_) => {
                builder.append_raw(element.raw);
                Ok(())
            }
            Child::Computed(expression) if self.keeps_others => {
                expression.append_to(name, self.scope, builder)
            }
            // Beside fields that are left out, the array stays in its place; else it is appended.
            Child::ElemMatch(matcher) if self.keeps_others => {
                self.elem_match(matcher, name, element.raw, builder)
            }
            _ => Ok(()),
        }
    }

    /// Writes the first item of an array that a filter over its field finds. `raw` is the field.
    fn elem_match(
        &self,
        matcher: &Matcher,
        name: &str,
        raw: &[u8],
        builder: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        let mut alone = DocumentBuilder::new();
        alone.append_raw(raw);
        let alone = alone.finish();
        let alone = alone.as_document();
        let mut details = MatchDetails::default();
        let matched = matcher.matches_with_details(alone, self.scope.env, &mut details)?;
        let item = { alone.get(name).as_array() }
            .zip(details.array_index)
            .map(|(array, index)| array.get(index as usize));
        if let Some(item) = item.filter(|_| matched) {
            builder.begin_array(name);
            builder.append(Positions::default().next_name(), item);
            builder.end();
        }
        Ok(())
    }

    fn nested(
        &self,
        node: &Node,
        name: &str,
        element: &RawElement<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        match element.kind {
            BsonType::Document => {
                let document = Document::from_valid_bytes(element.value_bytes);
                builder.begin_document(name);
                self.document(node, document, builder)?;
                builder.end();
            }
            BsonType::Array => {
                builder.begin_array(name);
                let items = Document::from_valid_bytes(element.value_bytes).raw_elements();
                let mut positions = Positions::default();
                for item in items {
                    let nested = matches!(item.kind, BsonType::Document | BsonType::Array);
                    if nested || node.computes {
                        self.nested(node, positions.next_name(), &item, builder)?;
                    } else if self.keeps_others {
                        builder.append(positions.next_name(), item.value());
                    }
                }
                builder.end();
            }
            // A computed field below it makes a document of a plain value.
            _ if node.computes => {
                builder.begin_document(name);
                self.computed(node, None, builder)?;
                builder.end();
            }
            _ if self.keeps_others => {
                builder.append(name, element.value());
            }
            _ => {}
        }
        Ok(())
    }

    /// Appends the computed fields that are not written yet.
    fn computed(
        &self,
        node: &Node,
        document: Option<Document<'_>>,
        builder: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        let is_present = |name: &str| {
            document.is_some_and(|document| {
                document
                    .raw_elements()
                    .any(|element| element.name == name.as_bytes())
            })
        };
        for (name, child) in &node.children {
            match child {
                Child::Computed(expression) if !(self.keeps_others && is_present(name)) => {
                    expression.append_to(name, self.scope, builder)?;
                }
                Child::Nested(inner) if inner.computes && !is_present(name) => {
                    builder.begin_document(name);
                    self.computed(inner, None, builder)?;
                    builder.end();
                }
                Child::ElemMatch(matcher) if !self.keeps_others => {
                    let field = document.and_then(|document| document.find_raw(name.as_bytes()));
                    if let Some(field) = field {
                        self.elem_match(matcher, name, field.raw, builder)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
