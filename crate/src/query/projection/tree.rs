//! The tree that a projection compiles to: paths cut into nested nodes.
//!
//! Invariant: no path of the tree is a prefix of another; children are in the order of the specification, which is
//! the order in which computed fields are appended.

use super::slice::Slice;
use crate::expr::Expression;
use crate::query::matcher::Matcher;
use crate::query::path::QueryPath;
use std::rc::Rc;

/// The fields of one (nested) document.
#[derive(Clone, Default)]
pub struct Node {
    pub children: Vec<(Box<str>, Child)>,
    /// Whether a field at or below this node is computed, so that it may appear in documents that lack it.
    pub computes: bool,
}

/// The projection of one field.
#[derive(Clone)]
pub enum Child {
    Include,
    Exclude,
    Nested(Node),
    /// Part of an array.
    Slice(Slice),
    /// The first item of an array that a filter over this field finds; top-level fields only.
    ElemMatch(Rc<Matcher>),
    Computed(Rc<Expression>),
}

impl Child {
    /// Whether the field is made anew and appended, rather than copied where it stands.
    pub fn is_computed(&self) -> bool {
        matches!(self, Self::Computed(_) | Self::ElemMatch(_))
    }
}

/// Why a path cannot join the tree.
pub enum Collision {
    /// The path, or one below it, is there already.
    Same,
    /// The path goes on below one that is there; the names behind that one.
    Below(String),
}

impl Node {
    /// The child of a name.
    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<&Child> {
        self.children
            .iter()
            .find(|(child, _)| child.as_bytes() == name)
            .map(|(_, child)| child)
    }

    /// Adds a leaf at a path.
    pub fn insert(&mut self, path: &QueryPath, child: Child) -> Result<(), Collision> {
        self.insert_at(path, 0, child)
    }

    fn insert_at(&mut self, path: &QueryPath, at: usize, child: Child) -> Result<(), Collision> {
        let Some(part) = path.parts().get(at) else {
            return Err(Collision::Same);
        };
        let is_last = at + 1 == path.parts().len();
        let computed = child.is_computed();
        let found = self
            .children
            .iter_mut()
            .find(|(name, _)| *name == part.name);
        match found {
            None if is_last => self.children.push((part.name.clone(), child)),
            None => {
                let mut node = Self::default();
                node.insert_at(path, at + 1, child)?;
                self.children.push((part.name.clone(), Child::Nested(node)));
            }
            Some(_) if is_last => return Err(Collision::Same),
            Some((_, Child::Nested(node))) => node.insert_at(path, at + 1, child)?,
            Some(_) => {
                let rest: Vec<&str> = path
                    .parts()
                    .iter()
                    .skip(at + 1)
                    .map(|part| &*part.name)
                    .collect();
                return Err(Collision::Below(rest.join(".")));
            }
        }
        self.computes |= computed;
        Ok(())
    }

    /// Visits every leaf with its dotted path, in the order of the specification.
    pub fn visit<'n>(&'n self, prefix: &str, visitor: &mut dyn FnMut(&str, &'n Child)) {
        for (name, child) in &self.children {
            let path = if prefix.is_empty() {
                name.to_string()
            } else {
                format!("{prefix}.{name}")
            };
            match child {
                Child::Nested(node) => node.visit(&path, visitor),
                leaf => visitor(&path, leaf),
            }
        }
    }
}
