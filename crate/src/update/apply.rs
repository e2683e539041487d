//! Applying the tree of operators to a document's bytes.
//!
//! One walk over the elements copies those that no operator names and rewrites those that one does; new fields follow,
//! in creation order. Invariant: the walk writes a whole valid document, or stops with an error and the bytes that it
//! wrote are dropped.

use super::array_filter::{ArrayFilter, wrap};
use super::compile::ApplyContext;
use super::errors::{bad_value, conflict, not_viable, too_large};
use super::operator::{Change, DeadEnd, Place};
use super::path::Part;
use super::tree::{Child, Fields, Node};
use crate::bson::builder::write_value;
use crate::bson::document::RawElement;
use crate::bson::{BsonType, Document, MAX_DOCUMENT_SIZE, ValueRef};
use crate::error::{Code, CommandError};

/// The most nulls that setting a far array position fills in.
const MOST_PADDING: usize = 1_500_000;

/// One application of a tree.
pub(super) struct Application<'a> {
    pub(super) document: Document<'a>,
    pub(super) context: &'a ApplyContext<'a>,
    pub(super) filters: &'a [ArrayFilter],
    /// The array item of the positional `$`: its position as a name and as a number.
    pub(super) matched: Option<(String, usize)>,
    /// Whether `$` occurs anywhere in the tree.
    pub(super) uses_matched: bool,
    /// The path walked so far.
    pub(super) path: String,
    /// The top-level fields beginning with `$` that were made or given another value.
    pub(super) dollar_names: Vec<Box<str>>,
    pub(super) changed: bool,
}

/// Whether a container's names are positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Document,
    Array,
}

impl Application<'_> {
    /// Writes the updated document to `out`.
    pub(super) fn run(&mut self, fields: &Fields, out: &mut Vec<u8>) -> Result<(), CommandError> {
        let start = open(out);
        self.rewrite(fields, self.document.as_bytes(), Container::Document, out)?;
        close(out, start);
        Ok(())
    }

    fn name_of<'n>(&'n self, part: &'n Part) -> Result<(&'n str, Option<usize>), CommandError> {
        match (part, &self.matched) {
            (Part::Name { name, index }, _) => Ok((name, *index)),
            (Part::Matched, Some((name, index))) => Ok((name, Some(*index))),
            (Part::Matched, None) => Err(bad_value(
                "The positional operator did not find the match needed from the query.",
            )),
            (other, _) => Err(bad_value(format!(
                "'{}' is not a field's name",
                other.text()
            ))),
        }
    }

    /// The child that an element's name (or an array item's position) belongs to.
    #[inline]
    fn child_for(
        &self,
        fields: &Fields,
        name: &[u8],
        position: usize,
        container: Container,
    ) -> Option<usize> {
        fields.children.iter().position(|child| {
            let (child_name, index) = match (&child.part, &self.matched) {
                (Part::Name { name, index }, _) => (&**name, *index),
                (Part::Matched, Some((name, index))) => (name.as_str(), Some(*index)),
                _ => return false,
            };
            match container {
                Container::Document => child_name.as_bytes() == name,
                Container::Array => index == Some(position),
            }
        })
    }

    /// `$` must stand for an item, and may turn out to be the same position as one that is named.
    fn check_matched(&self, fields: &Fields) -> Result<(), CommandError> {
        if !fields
            .children
            .iter()
            .any(|child| child.part == Part::Matched)
        {
            return Ok(());
        }
        let (name, _) = self.name_of(&Part::Matched)?;
        let same = Part::name(name);
        if fields.children.iter().any(|child| child.part == same) {
            let at = format!("{}.{name}", self.path);
            return Err(conflict(&at, &at));
        }
        Ok(())
    }

    /// Copies a container's elements and applies the children to them; then creates the new ones.
    fn rewrite(
        &mut self,
        fields: &Fields,
        bytes: &[u8],
        container: Container,
        out: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        if self.uses_matched {
            self.check_matched(fields)?;
        }
        let mut seen = 0_u64;
        let mut seen_more: Vec<usize> = Vec::new();
        let mut position = 0;
        let mut open_children = fields.children.len();
        // Elements that nobody touches are copied in runs.
        let mut run_start = 4;
        let mut offset = 4;
        for element in Document::from_valid_bytes(bytes).raw_elements() {
            if open_children == 0 && container == Container::Document {
                break;
            }
            let end = offset + element.raw.len();
            if let Some(slot) = self.child_for(fields, element.name, position, container) {
                let known = match slot {
                    0..64 => seen >> slot & 1 == 1,
                    _ => seen_more.contains(&slot),
                };
                if !known {
                    match slot {
                        0..64 => seen |= 1 << slot,
                        _ => seen_more.push(slot),
                    }
                    open_children -= 1;
                    out.extend_from_slice(&bytes[run_start..offset]);
                    run_start = end;
                    self.apply_child(&fields.children[slot], element, container, out)?;
                }
            }
            offset = end;
            position += 1;
        }
        out.extend_from_slice(bytes.get(run_start..bytes.len() - 1).unwrap_or(&[]));
        if open_children == 0 {
            return Ok(());
        }
        for (slot, child) in fields.children.iter().enumerate() {
            let known = match slot {
                0..64 => seen >> slot & 1 == 1,
                _ => seen_more.contains(&slot),
            };
            if !known {
                match container {
                    Container::Document => self.create(child, out)?,
                    Container::Array => self.create_item(child, bytes, &mut position, out)?,
                }
            }
        }
        Ok(())
    }

    /// Goes down one part of the path; gives the length of the path before, for `leave`.
    fn enter(&mut self, name: &str) -> usize {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        length
    }

    fn apply_child(
        &mut self,
        child: &Child,
        element: RawElement<'_>,
        container: Container,
        out: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        let before = match &child.part {
            Part::Name { name, .. } if name.len() == element.name.len() => self.enter(name),
            _ => self.enter(std::str::from_utf8(element.name).unwrap_or("")),
        };
        let result = self.apply_node(&child.node, element, container, out);
        self.path.truncate(before);
        result.and_then(|()| self.check_size(out))
    }

    /// Asked after each step: a document that grew too large is not written to its end.
    fn check_size(&self, out: &[u8]) -> Result<(), CommandError> {
        match out.len() > MAX_DOCUMENT_SIZE {
            true => Err(too_large()),
            false => self.context.env.checkpoint(),
        }
    }

    fn apply_node(
        &mut self,
        node: &Node,
        element: RawElement<'_>,
        container: Container,
        out: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        let fields = match node {
            Node::Fields(fields) => fields,
            Node::Leaf(operator) => {
                let place = Place {
                    document: self.document,
                    path: &self.path,
                    context: self.context,
                };
                match operator.apply(element.value(), &place)? {
                    Change::Same => out.extend_from_slice(element.raw),
                    Change::Set(value) => {
                        self.changed = true;
                        write_element(out, element.name, value.as_ref());
                        // A nested path has a dot, which no name on a path has.
                        if self.path.starts_with('$') && !self.path.contains('.') {
                            self.dollar_names.push(self.path.as_str().into());
                        }
                    }
                    Change::Remove => {
                        self.changed = true;
                        if container == Container::Array {
                            write_element(out, element.name, ValueRef::Null);
                        }
                    }
                }
                return Ok(());
            }
        };
        let first = fields.children.first().map(|child| &child.part);
        let array_wide = first.is_some_and(Part::is_array_wide);
        match element.kind {
            BsonType::Array if array_wide => self.rewrite_items(fields, element, out),
            _ if array_wide => Err(bad_value(format!(
                "Cannot apply array updates to non-array element {}: {}",
                String::from_utf8_lossy(element.name),
                element.value()
            ))),
            BsonType::Document => {
                out.extend_from_slice(&element.raw[..element.name.len() + 2]);
                let start = open(out);
                self.rewrite(fields, element.value_bytes, Container::Document, out)?;
                close(out, start);
                Ok(())
            }
            BsonType::Array => {
                for child in &fields.children {
                    let (name, index) = self.name_of(&child.part)?;
                    if index.is_none() {
                        self.check_dead_end(child, name, element)?;
                    }
                }
                out.extend_from_slice(&element.raw[..element.name.len() + 2]);
                let start = open(out);
                self.rewrite(fields, element.value_bytes, Container::Array, out)?;
                close(out, start);
                Ok(())
            }
            _ => {
                for child in &fields.children {
                    self.check_dead_end(child, self.name_of(&child.part)?.0, element)?;
                }
                out.extend_from_slice(element.raw);
                Ok(())
            }
        }
    }

    /// Refuses a path that leads from an element to a child it cannot have, if an operator minds.
    fn check_dead_end(
        &self,
        child: &Child,
        name: &str,
        element: RawElement<'_>,
    ) -> Result<(), CommandError> {
        let Some((kind, rest)) = child.node.dead_end(self.context.is_insert) else {
            return Ok(());
        };
        let above = String::from_utf8_lossy(element.name);
        let value = element.value();
        let path = format!("{}.{name}{rest}", self.path);
        let message = match kind {
            DeadEnd::NotTraversed => {
                format!(
                    "Cannot use the part ({name}) of ({path}) to traverse the element ({{{above}: {value}}})"
                )
            }
            DeadEnd::NotRenamed => {
                format!(
                    "cannot use the part ({above} of {path}) to traverse the element ({{{above}: {value}}})"
                )
            }
            _ => return Err(not_viable(name, &above, value)),
        };
        Err(CommandError::new(Code::PathNotViable, message))
    }

    /// `$[]` and `$[identifier]`: applies each child to the items it accepts.
    fn rewrite_items(
        &mut self,
        fields: &Fields,
        element: RawElement<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        out.extend_from_slice(&element.raw[..element.name.len() + 2]);
        let start = open(out);
        for item in Document::from_valid_bytes(element.value_bytes).raw_elements() {
            let mut accepted: Vec<&Child> = Vec::new();
            for child in &fields.children {
                let accepts = match &child.part {
                    Part::Filtered { filter, .. } => match self.filters.get(*filter) {
                        Some(filter) => filter.accepts(item.value(), self.context.env)?,
                        None => false,
                    },
                    _ => true,
                };
                if accepts {
                    accepted.push(child);
                }
            }
            match accepted.as_slice() {
                [] => out.extend_from_slice(item.raw),
                [child] => self.apply_child(child, item, Container::Array, out)?,
                several => self.apply_several(several, item, out)?,
            }
        }
        close(out, start);
        Ok(())
    }

    /// Applies children that met at one array item, one after the other.
    fn apply_several(
        &mut self,
        children: &[&Child],
        item: RawElement<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        for (position, child) in children.iter().enumerate() {
            if children[..position]
                .iter()
                .any(|other| other.node.overlaps(&child.node))
            {
                let at = format!("{}.{}", self.path, String::from_utf8_lossy(item.name));
                return Err(conflict(&at, &at));
            }
        }
        let name = std::str::from_utf8(item.name).unwrap_or("");
        let (mut current, mut next) = (Vec::new(), Vec::new());
        wrap(&mut current, name, item.value());
        for child in children {
            next.clear();
            let start = open(&mut next);
            if let Some(element) = Document::from_valid_bytes(&current).raw_elements().next() {
                self.apply_child(child, element, Container::Array, &mut next)?;
            }
            close(&mut next, start);
            std::mem::swap(&mut current, &mut next);
        }
        out.extend_from_slice(&current[4..current.len() - 1]);
        Ok(())
    }

    /// Creates a field that is not there, if its operators give it a value.
    fn create(&mut self, child: &Child, out: &mut Vec<u8>) -> Result<(), CommandError> {
        if child.part.is_array_wide() {
            return Err(bad_value(format!(
                "The path '{}' must exist in the document in order to apply array updates.",
                self.path
            )));
        }
        let name = self.name_of(&child.part)?.0.to_owned();
        let begin = out.len();
        let before = self.enter(&name);
        let result = self.create_node(&child.node, &name, out);
        self.path.truncate(before);
        if self.path.is_empty() && name.starts_with('$') && out.len() > begin {
            self.dollar_names.push(name.into());
        }
        result.and_then(|()| self.check_size(out))
    }

    fn create_node(
        &mut self,
        node: &Node,
        name: &str,
        out: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        match node {
            Node::Leaf(operator) => {
                let place = Place {
                    document: self.document,
                    path: &self.path,
                    context: self.context,
                };
                if let Change::Set(value) = operator.apply(ValueRef::Missing, &place)? {
                    self.changed = true;
                    write_element(out, name.as_bytes(), value.as_ref());
                }
                Ok(())
            }
            Node::Fields(fields) => {
                let begin = out.len();
                out.push(BsonType::Document as u8);
                out.extend_from_slice(name.as_bytes());
                out.push(0);
                let start = open(out);
                for child in &fields.children {
                    self.create(child, out)?;
                }
                if out.len() == start + 4 {
                    out.truncate(begin);
                } else {
                    close(out, start);
                }
                Ok(())
            }
        }
    }

    /// Creates an array item beyond the end, with nulls before it.
    fn create_item(
        &mut self,
        child: &Child,
        bytes: &[u8],
        length: &mut usize,
        out: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        let Some(index) = self.name_of(&child.part)?.1 else {
            return Ok(());
        };
        let begin = out.len();
        let padding = index.saturating_sub(*length);
        if padding > MOST_PADDING {
            if !matches!(
                child.node.dead_end(self.context.is_insert),
                Some((DeadEnd::NotCreated, _))
            ) {
                return Ok(());
            }
            return Err(CommandError::new(
                Code::CannotBackfillArray,
                format!("can't backfill more than {MOST_PADDING} elements"),
            ));
        }
        debug_assert!(index >= *length || bytes.is_empty());
        let mut name = String::new();
        for position in *length..index {
            name.clear();
            crate::bson::float::write_digits(&mut name, position as u128);
            write_element(out, name.as_bytes(), ValueRef::Null);
        }
        let padded = out.len();
        self.create(child, out)?;
        if out.len() == padded {
            out.truncate(begin);
        } else {
            *length = index + 1;
        }
        Ok(())
    }
}

/// Begins a document; gives where its length goes.
fn open(out: &mut Vec<u8>) -> usize {
    out.extend_from_slice(&[0; 4]);
    out.len() - 4
}

fn close(out: &mut Vec<u8>, start: usize) {
    out.push(0);
    let length = (out.len() - start) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

fn write_element(out: &mut Vec<u8>, name: &[u8], value: ValueRef<'_>) {
    out.push(value.bson_type() as u8);
    out.extend_from_slice(name);
    out.push(0);
    write_value(out, value);
}
