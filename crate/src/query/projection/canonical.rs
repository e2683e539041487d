//! A projection as explain prints it, and the fields it only renames.
//!
//! Invariant: the printed form compiles to a projection that gives the same.

use super::specification::{Projection, ProjectionKind};
use super::tree::{Child, Node};
use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::expr::node::Node as ExpressionNode;

impl Projection {
    /// The form in which a pipeline's explain prints it: fields that stay or go as booleans with `_id` among them,
    /// nested documents for dotted paths, expressions in their canonical form.
    pub fn canonical(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        let id = self.root.get(b"_id");
        match (self.kind, id) {
            (ProjectionKind::Inclusion, Some(Child::Include)) => {
                builder.append("_id", true);
            }
            (ProjectionKind::Exclusion, Some(Child::Exclude)) => {
                builder.append("_id", false);
            }
            _ => {}
        }
        append(&self.root, true, &mut builder);
        match (self.kind, id) {
            (ProjectionKind::Inclusion, Some(Child::Exclude)) => {
                builder.append("_id", false);
            }
            (ProjectionKind::Exclusion, None) => {
                builder.append("_id", true);
            }
            _ => {}
        }
        builder.finish()
    }

    /// Where the value of a path lies before the projection, if a computed field only renames: with `{x: "$a"}`, `x.y`
    /// is `a.y`.
    pub fn renamed(&self, path: &str) -> Option<String> {
        let (name, below) = path.split_at(path.find('.').unwrap_or(path.len()));
        match self.root.get(name.as_bytes()) {
            Some(Child::Computed(expression)) => match expression.node() {
                ExpressionNode::Field(field) if field.parts().len() == 1 => {
                    Some(format!("{}{below}", field.dotted()))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Appends the fields that stay and go, then the nested and computed ones; the outermost `_id` has its own places.
fn append(node: &Node, outermost: bool, builder: &mut DocumentBuilder) {
    for (name, child) in &node.children {
        let is_id = outermost && &**name == "_id";
        match child {
            Child::Include if !is_id => {
                builder.append(name, true);
            }
            Child::Exclude if !is_id => {
                builder.append(name, false);
            }
            _ => {}
        }
    }
    for (name, child) in &node.children {
        match child {
            Child::Nested(inner) => {
                builder.begin_document(name);
                append(inner, false, builder);
                builder.end();
            }
            Child::Computed(expression) => expression.to_bson(name, builder),
            _ => {}
        }
    }
}
