//! The tree of paths that an update's operators form.
//!
//! Invariant: children are sorted in creation order, no path is a prefix of another, and a node's
//! children are either all array-wide (`$[]`, `$[item]`) or none is.

use super::errors::conflict;
use super::operator::{DeadEnd, Operator};
use super::path::Part;
use crate::error::CommandError;

/// An operator, or the paths below one part.
pub(super) enum Node {
    Leaf(Box<dyn Operator>),
    Fields(Fields),
}

/// The children of one path.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) children: Vec<Child>,
}

/// One part of a path and the parts below it.
pub(super) struct Child {
    pub(super) part: Part,
    pub(super) node: Node,
}

impl Fields {
    /// Adds an operator at the end of a path.
    ///
    /// # Errors
    /// 40 `ConflictingUpdateOperators` when another operator has the path, a prefix of it, or a path below.
    pub(super) fn insert(
        &mut self,
        path: &str,
        parts: Vec<Part>,
        operator: Box<dyn Operator>,
    ) -> Result<(), CommandError> {
        let conflict_at = |depth: usize| {
            let at: Vec<&str> = path.split('.').take(depth + 1).collect();
            conflict(path, &at.join("."))
        };
        let count = parts.len();
        let mut fields = self;
        for (depth, part) in parts.into_iter().enumerate() {
            let last = depth + 1 == count;
            if fields
                .children
                .iter()
                .any(|child| child.part.is_array_wide() != part.is_array_wide())
            {
                return Err(conflict_at(depth.saturating_sub(1)));
            }
            let found = fields
                .children
                .binary_search_by(|child| child.part.order(&part));
            let position = match found {
                Ok(_) if last => return Err(conflict_at(depth)),
                Ok(position) => position,
                Err(position) if last => {
                    let child = Child {
                        part,
                        node: Node::Leaf(operator),
                    };
                    fields.children.insert(position, child);
                    return Ok(());
                }
                Err(position) => {
                    let child = Child {
                        part,
                        node: Node::Fields(Fields::default()),
                    };
                    fields.children.insert(position, child);
                    position
                }
            };
            fields = match &mut fields.children[position].node {
                Node::Fields(fields) => fields,
                Node::Leaf(_) => return Err(conflict_at(depth)),
            };
        }
        Ok(())
    }
}

impl Node {
    /// The first operator below that minds a path that leads into a scalar (unlike `$unset`), with the rest of
    /// its path.
    pub(super) fn dead_end(&self, is_insert: bool) -> Option<(DeadEnd, String)> {
        match self {
            Self::Leaf(operator) => match operator.dead_end(is_insert) {
                DeadEnd::Tolerated => None,
                kind => Some((kind, String::new())),
            },
            Self::Fields(fields) => fields.children.iter().find_map(|child| {
                let (kind, rest) = child.node.dead_end(is_insert)?;
                Some((kind, format!(".{}{rest}", child.part.text())))
            }),
        }
    }

    /// The first leaf's path below, for messages.
    pub(super) fn first_leaf_path(&self) -> String {
        match self {
            Self::Leaf(_) => String::new(),
            Self::Fields(fields) => fields.children.first().map_or(String::new(), |child| {
                format!(".{}{}", child.part.text(), child.node.first_leaf_path())
            }),
        }
    }

    /// Whether two nodes that meet at one array item would write the same path.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fields(a), Self::Fields(b)) => a.children.iter().any(|left| {
                b.children
                    .iter()
                    .any(|right| left.part == right.part && left.node.overlaps(&right.node))
            }),
            _ => true,
        }
    }
}
