//! A projection as a tree of field names.
//!
//! Invariant: a name appears once in a tree, and no leaf lies above another: collisions are
//! refused when the tree is built.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::expr::{Dependencies, Expression, FieldPath};

/// What happens to fields the tree does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Dropped: `$project` that includes.
    Include,
    /// Kept: `$project` that excludes, `$unset`.
    Exclude,
    /// Kept, and computed ones are set in place: `$addFields`.
    Add,
}

/// One name of a tree.
pub enum Branch {
    Keep,
    Drop,
    Compute(Expression),
    Nested(Tree),
}

/// The fields of one level, in the order of the specification.
#[derive(Default)]
pub struct Tree {
    pub fields: Vec<(Box<str>, Branch)>,
    /// Whether anything at or below this level is computed.
    pub computes: bool,
}

impl Tree {
    /// The position of a name.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.fields
            .iter()
            .position(|(held, _)| held.as_bytes() == name)
    }

    /// Sets a leaf at a path, building what lies between. A path that meets another is an error.
    pub fn insert(&mut self, path: &FieldPath, leaf: Branch) -> Result<(), CommandError> {
        self.insert_parts(path, 0, leaf)
    }

    fn insert_parts(
        &mut self,
        path: &FieldPath,
        depth: usize,
        leaf: Branch,
    ) -> Result<(), CommandError> {
        let parts = path.parts();
        let Some(name) = parts.get(depth) else {
            return Ok(());
        };
        self.computes |= matches!(leaf, Branch::Compute(_));
        let last = depth + 1 == parts.len();
        let Some(position) = self.find(name.as_bytes()) else {
            let branch = if last {
                leaf
            } else {
                let mut nested = Tree::default();
                nested.insert_parts(path, depth + 1, leaf)?;
                Branch::Nested(nested)
            };
            self.fields.push((name.clone(), branch));
            return Ok(());
        };
        match &mut self.fields[position].1 {
            Branch::Nested(nested) if !last => nested.insert_parts(path, depth + 1, leaf),
            _ if last => Err(CommandError::location(
                31250,
                format!("Path collision at {}", path.dotted()),
            )),
            _ => Err(CommandError::location(
                31249,
                format!(
                    "Path collision at {} remaining portion {}",
                    path.dotted(),
                    parts[depth + 1..].join(".")
                ),
            )),
        }
    }

    /// Adds the paths the tree reads and those it keeps.
    pub fn dependencies(&self, prefix: &str, needed: &mut Dependencies) {
        for (name, branch) in &self.fields {
            let path = if prefix.is_empty() {
                name.to_string()
            } else {
                format!("{prefix}.{name}")
            };
            match branch {
                Branch::Keep => needed.add(&path),
                Branch::Drop => {}
                Branch::Compute(expression) => {
                    needed.merge(&expression.dependencies());
                    // Arrays on the way decide the shape, so the parent is read too.
                    if !prefix.is_empty() {
                        needed.add(prefix);
                    }
                }
                Branch::Nested(tree) => tree.dependencies(&path, needed),
            }
        }
    }

    /// Appends the tree's fields as explain prints them.
    pub fn explain(&self, builder: &mut DocumentBuilder) {
        for (name, branch) in &self.fields {
            match branch {
                Branch::Keep => {
                    builder.append(name, ValueRef::Boolean(true));
                }
                Branch::Drop => {
                    builder.append(name, ValueRef::Boolean(false));
                }
                Branch::Compute(expression) => expression.to_bson(name, builder),
                Branch::Nested(tree) => {
                    builder.begin_document(name);
                    tree.explain(builder);
                    builder.end();
                }
            }
        }
    }
}
