//! Filters of partial indexes: which ones are allowed, and their compiled form.
//!
//! Follows the manual's "Partial Indexes" page.

use super::compile::Compiler;
use super::matcher::Matcher;
use super::node::MatchNode;
use crate::bson::Document;
use crate::catalog::index::definition::PartialFilter;
use crate::catalog::{DocumentFilter, FilterCompiler};
use crate::collation::Collation;
use crate::env::{Env, NoEnv, Words};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use std::rc::Rc;

/// Compiles `partialFilterExpression`.
pub struct PartialFilterCompiler<'e> {
    /// Where collations and regular expressions come from.
    pub env: &'e dyn Env,
}

/// A compiled `partialFilterExpression`.
struct CompiledPartialFilter {
    matcher: Matcher,
}

impl DocumentFilter for CompiledPartialFilter {
    fn matches(&self, document: Document<'_>) -> Result<bool, CommandError> {
        self.matcher.matches(document, &NoEnv)
    }
}

/// Whether every document that a query can match satisfies the filter of a partial index, so that the index holds it.
///
/// The catalog lies below this language and keeps the filter behind a trait, so its expression is compiled anew here.
pub fn holds_all(partial: &PartialFilter, collation: &Collation, query: &Matcher) -> bool {
    compile(partial.expression.as_document(), collation, &NoEnv, false)
        .is_ok_and(|filter| query.root().is_subset_of(filter.root()))
}

fn compile(
    expression: Document<'_>,
    collation: &Collation,
    env: &dyn Env,
    is_checked: bool,
) -> Result<Matcher, CommandError> {
    let mut context = CompileContext::new(env, 0);
    context.collation.clone_from(collation);
    let compiler = Compiler::new(&context).without_scripts().without_texts();
    let given = compiler.filter(expression)?;
    if is_checked {
        check(&given)?;
    }
    Ok(Matcher::from_node(given.optimise()).with_collation(collation))
}

/// Compiles a `partialFilterExpression` as it was given, where it is one that a partial index may have.
///
/// # Errors
/// 67 `CannotCreateIndex`, 224 `QueryFeatureNotAllowed`, and a parse error.
pub fn compile_given(
    expression: Document<'_>,
    collation: &Collation,
    env: &dyn Env,
) -> Result<Matcher, CommandError> {
    compile(expression, collation, env, true)
}

impl FilterCompiler for PartialFilterCompiler<'_> {
    fn check(&self, expression: Document<'_>, collation: &Collation) -> Result<(), CommandError> {
        compile_given(expression, collation, self.env).map(drop)
    }

    fn compile(
        &self,
        expression: Document<'_>,
        collation: &Collation,
    ) -> Result<Rc<dyn DocumentFilter>, CommandError> {
        let matcher = compile(expression, collation, self.env, false)?;
        Ok(Rc::new(CompiledPartialFilter { matcher }))
    }

    fn collation(&self, document: Document<'_>) -> Result<Collation, CommandError> {
        Collation::parse(document, self.env)
    }

    fn words(&self) -> Rc<dyn Words> {
        self.env.words()
    }
}

/// Compiles filters of buckets, which were made of filters of measurements that were checked.
pub struct OfBuckets<'c>(pub &'c PartialFilterCompiler<'c>);

impl FilterCompiler for OfBuckets<'_> {
    fn check(&self, _: Document<'_>, _: &Collation) -> Result<(), CommandError> {
        Ok(())
    }

    fn compile(
        &self,
        expression: Document<'_>,
        collation: &Collation,
    ) -> Result<Rc<dyn DocumentFilter>, CommandError> {
        self.0.compile(expression, collation)
    }

    fn collation(&self, document: Document<'_>) -> Result<Collation, CommandError> {
        self.0.collation(document)
    }

    fn words(&self) -> Rc<dyn Words> {
        self.0.words()
    }
}

/// Refuses operators that a partial index cannot have, of a filter as it was given.
fn check(node: &MatchNode) -> Result<(), CommandError> {
    match node {
        MatchNode::And(children) | MatchNode::Or(children) => children.iter().try_for_each(check),
        MatchNode::Compare(_)
        | MatchNode::Exists(_)
        | MatchNode::Type(_)
        | MatchNode::In(_)
        | MatchNode::Geo(_) => Ok(()),
        MatchNode::Expr(_) => Err(not_allowed("$expr")),
        MatchNode::JsonSchema(_) => Err(not_allowed("$jsonSchema")),
        refused => Err(CommandError::new(
            Code::CannotCreateIndex,
            format!(
                "Expression not supported in partial index: {}",
                shown(refused)
            ),
        )),
    }
}

fn not_allowed(name: &str) -> CommandError {
    let message = format!("{name} is not allowed in this context");
    CommandError::new(Code::QueryFeatureNotAllowed, message)
}

/// A refused part as the server draws it: below a negation, indented, the predicate that it negates.
fn shown(node: &MatchNode) -> String {
    let MatchNode::Not(negated) = node else {
        return format!("{node:?}");
    };
    let below = match &**negated {
        MatchNode::Compare(test) => format!(
            "{} {} {}",
            test.path.dotted(),
            test.kind.name(),
            test.operand.as_ref()
        ),
        MatchNode::Exists(path) => format!("{} exists", path.dotted()),
        other => format!("{other:?}"),
    };
    format!("$not\n    {below}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::document;

    fn refusal(filter: &str) -> Option<String> {
        let filter = document(filter);
        PartialFilterCompiler { env: &NoEnv }
            .check(filter.as_document(), &Collation::SIMPLE)
            .err()
            .map(|error| format!("{}: {}", error.code, error.message))
    }

    #[test]
    fn only_some_operators_are_allowed() {
        assert_eq!(refusal("{a: {$gt: 5}, b: {$exists: true}}"), None);
        assert_eq!(refusal("{$or: [{a: 1}, {b: {$in: [1, 2]}}]}"), None);
        assert_eq!(
            refusal("{a: {$ne: 5}}").as_deref(),
            Some("67: Expression not supported in partial index: $not\n    a $eq 5\n")
        );
        assert_eq!(
            refusal("{a: {$exists: false}}").as_deref(),
            Some("67: Expression not supported in partial index: $not\n    a exists\n")
        );
        assert!(refusal("{$nor: [{a: 1}]}").is_some());
        assert_eq!(refusal("{a: {$geoWithin: {$box: [[0, 0], [2, 2]]}}}"), None);
        assert_eq!(
            refusal(
                "{$or: [{a: {$geoIntersects: {$geometry: {type: \"Point\", coordinates: [0, 0]}}}}]}"
            ),
            None
        );
        for (filter, code) in [
            ("{$expr: true}", "224: "),
            ("{a: 1, $jsonSchema: {}}", "224: "),
            ("{$where: \"true\"}", "2: "),
            ("{$text: {$search: \"a\"}}", "2: "),
            ("{a: {$near: [0, 0]}}", "5626500: "),
        ] {
            assert!(
                refusal(filter).is_some_and(|error| error.starts_with(code)),
                "{filter}"
            );
        }
        assert!(refusal("{a: {$foo: 1}}").is_some_and(|error| error.starts_with("2: ")));
    }

    #[test]
    fn documents_are_held_or_not() {
        let filter = document("{a: {$gt: 5}}");
        let filter = PartialFilterCompiler { env: &NoEnv }
            .compile(filter.as_document(), &Collation::SIMPLE)
            .expect("a valid filter");
        let held = |subject: &str| filter.matches(document(subject).as_document());
        assert_eq!(held("{a: 6}"), Ok(true));
        assert_eq!(held("{a: 5}"), Ok(false));
    }
}
