//! Applies a field tree to a document in one pass over its bytes.
//!
//! Invariant: kept fields keep the input's order; computed fields of an inclusion follow in the
//! specification's order, those of `$addFields` take the place of what they replace.

use super::super::output::position_name;
use super::tree::{Branch, Mode, Tree};
use crate::bson::{Array, Document, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::expr::Scope;

type Result<T> = std::result::Result<T, CommandError>;

impl Tree {
    /// Writes the projected document; expressions see the scope's root.
    pub fn apply(
        &self,
        mode: Mode,
        document: Document<'_>,
        scope: &Scope<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<()> {
        let mut written = Written::default();
        for element in document.raw_elements() {
            let Some(position) = self.find(element.name) else {
                if mode != Mode::Include {
                    builder.append_raw(element.raw);
                }
                continue;
            };
            let (name, branch) = &self.fields[position];
            match branch {
                Branch::Keep => {
                    builder.append_raw(element.raw);
                }
                Branch::Drop => {}
                Branch::Compute(expression) => {
                    if mode == Mode::Add && !written.holds(position) {
                        expression.append_to(name, scope, builder)?;
                        written.mark(position);
                    }
                }
                Branch::Nested(tree) => {
                    if tree.apply_value(mode, name, element.value(), scope, builder)? {
                        written.mark(position);
                    }
                }
            }
        }
        if !self.computes {
            return Ok(());
        }
        for (position, (name, branch)) in self.fields.iter().enumerate() {
            if !written.holds(position) {
                branch.compute(name, scope, builder)?;
            }
        }
        Ok(())
    }

    /// Writes a field's value with the tree applied; `false` when nothing was written.
    fn apply_value(
        &self,
        mode: Mode,
        name: &str,
        value: ValueRef<'_>,
        scope: &Scope<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<bool> {
        match value {
            ValueRef::Document(document) => {
                builder.begin_document(name);
                self.apply(mode, document, scope, builder)?;
                builder.end();
            }
            ValueRef::Array(array) => {
                builder.begin_array(name);
                self.apply_items(mode, array, scope, builder)?;
                builder.end();
            }
            _ if self.computes => self.compute(name, scope, builder)?,
            _ if mode == Mode::Include => return Ok(false),
            other => {
                builder.append(name, other);
            }
        }
        Ok(true)
    }

    fn apply_items(
        &self,
        mode: Mode,
        array: Array<'_>,
        scope: &Scope<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<()> {
        let mut buffer = [0; 20];
        let mut position = 0;
        for item in array.iter() {
            let nested = matches!(item, ValueRef::Document(_) | ValueRef::Array(_));
            if !nested && mode == Mode::Include {
                continue;
            }
            let name = position_name(position, &mut buffer);
            self.apply_value(mode, name, item, scope, builder)?;
            position += 1;
        }
        Ok(())
    }

    /// Writes a document of the computed fields alone.
    fn compute(&self, name: &str, scope: &Scope<'_>, builder: &mut DocumentBuilder) -> Result<()> {
        builder.begin_document(name);
        for (name, branch) in &self.fields {
            branch.compute(name, scope, builder)?;
        }
        builder.end();
        Ok(())
    }
}

impl Branch {
    fn compute(&self, name: &str, scope: &Scope<'_>, builder: &mut DocumentBuilder) -> Result<()> {
        match self {
            Self::Compute(expression) => expression.append_to(name, scope, builder),
            Self::Nested(tree) if tree.computes => tree.compute(name, scope, builder),
            _ => Ok(()),
        }
    }
}

/// Which fields of a level were written; a bit each, and a list beyond the first 64.
#[derive(Default)]
struct Written {
    first: u64,
    rest: Vec<usize>,
}

impl Written {
    fn mark(&mut self, position: usize) {
        match position {
            0..=63 => self.first |= 1 << position,
            _ => self.rest.push(position),
        }
    }

    fn holds(&self, position: usize) -> bool {
        match position {
            0..=63 => self.first & (1 << position) != 0,
            _ => self.rest.contains(&position),
        }
    }
}
