//! A compiled expression: evaluation, dependencies, canonical form.

use super::context::Scope;
use super::node::{Node, Result};
use super::serialize;
use crate::bson::{DocumentBuilder, Value};

/// An expression that was compiled from BSON.
pub struct Expression {
    pub(super) root: Node,
}

/// The paths that an expression reads of its document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dependencies {
    /// Dotted paths, sorted; none lies below another.
    pub paths: Vec<String>,
    /// Whether the whole document is needed; then `paths` says nothing.
    pub whole_document: bool,
}

impl Dependencies {
    /// Adds one path.
    pub fn add(&mut self, path: &str) {
        let covered = |outer: &str, inner: &str| {
            inner == outer
                || (inner.starts_with(outer) && inner.as_bytes().get(outer.len()) == Some(&b'.'))
        };
        if self.paths.iter().any(|held| covered(held, path)) {
            return;
        }
        self.paths.retain(|held| !covered(path, held));
        let position = self.paths.partition_point(|held| held.as_str() < path);
        self.paths.insert(position, path.to_owned());
    }

    /// Adds the paths of another.
    pub fn merge(&mut self, other: &Dependencies) {
        self.whole_document |= other.whole_document;
        for path in &other.paths {
            self.add(path);
        }
    }
}

impl Expression {
    /// A constant.
    pub fn constant(value: Value<'static>) -> Self {
        Self {
            root: Node::Constant(value),
        }
    }

    /// The compiled tree, for planners that look for comparisons.
    pub fn node(&self) -> &Node {
        &self.root
    }

    /// Evaluates over the scope's document. The value may borrow from the document or from the
    /// expression.
    pub fn evaluate<'v>(&'v self, scope: &Scope<'v>) -> Result<Value<'v>> {
        self.root.evaluate(scope)
    }

    /// Evaluates into a field of a document under construction; missing appends nothing.
    pub fn append_to(
        &self,
        name: &str,
        scope: &Scope<'_>,
        builder: &mut DocumentBuilder,
    ) -> Result<()> {
        self.root.append_to(name, scope, builder)
    }

    /// The constant this expression folded to, if it did.
    pub fn as_constant(&self) -> Option<&Value<'static>> {
        self.root.as_constant()
    }

    /// The dotted path, when the expression is just `$a.b`.
    pub fn as_field_path(&self) -> Option<&super::FieldPath> {
        match &self.root {
            Node::Field(path) => Some(path),
            _ => None,
        }
    }

    /// The field paths the expression reads.
    pub fn dependencies(&self) -> Dependencies {
        let mut found = Dependencies::default();
        self.root.visit(&mut |node| match node {
            Node::Field(path) => found.add(&path.dotted()),
            Node::Root(path) if !path.is_empty() => found.add(&path.dotted()),
            Node::Root(_) | Node::Current => found.whole_document = true,
            Node::Call(call) if call.variables.iter().any(|(name, _)| &**name == "CURRENT") => {
                found.whole_document = true;
            }
            _ => {}
        });
        found
    }

    /// Appends the canonical form, as explain prints it.
    pub fn to_bson(&self, name: &str, builder: &mut DocumentBuilder) {
        serialize::append(&self.root, name, builder);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{canonical, dependencies};

    #[test]
    fn dependencies_are_the_outermost_paths() {
        assert_eq!(
            dependencies("{$add: ['$a.b', '$a', '$c.d', '$$ROOT.e']}"),
            (
                vec!["a".to_owned(), "c.d".to_owned(), "e".to_owned()],
                false
            )
        );
        assert!(dependencies("{$and: ['$$ROOT']}").1);
        assert_eq!(
            dependencies("{$let: {vars: {x: '$q'}, in: '$$x.z'}}"),
            (vec!["q".to_owned()], false)
        );
    }

    #[test]
    fn prints_the_canonical_form() {
        assert_eq!(
            canonical("{$add: ['$a', {$multiply: [2, 3]}]}"),
            "{x: {$add: ['$a', {$const: 6}]}}"
        );
        assert_eq!(
            canonical("{$cond: ['$a', '$$ROOT', '$$REMOVE']}"),
            "{x: {$cond: ['$a', '$$ROOT', '$$REMOVE']}}"
        );
    }
}
