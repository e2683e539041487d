//! `$expr`: an aggregation expression over the whole document, as a predicate.
//!
//! Follows the manual's "$expr" page: it holds where the expression's value is true, and may use the command's
//! variables.

use crate::bson::{Document, DocumentBuilder, ValueRef, compare};
use crate::error::CommandError;
use crate::expr::{self, Dependencies, Expression, Scope};
use crate::query::compile::{Compiler, bad_value};
use crate::query::evaluate::MatchContext;
use crate::query::node::MatchNode;
use std::cmp::Ordering;
use std::rc::Rc;

/// A compiled expression as a predicate.
#[derive(Clone)]
pub struct ExprTest {
    expression: Rc<Expression>,
    reads: Dependencies,
}

impl ExprTest {
    /// The expression, for planners that look for comparisons.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Adds the paths it reads; `false` when it may read any.
    pub fn collect_paths<'n>(&'n self, paths: &mut Vec<&'n str>) -> bool {
        paths.extend(self.reads.paths.iter().map(String::as_str));
        !self.reads.whole_document
    }

    /// Whether the expression is true of a document.
    pub fn matches(
        &self,
        document: Document<'_>,
        context: &MatchContext<'_>,
    ) -> Result<bool, CommandError> {
        let mut scope = Scope::of(ValueRef::Document(document), context.env);
        scope.frame = context.frame;
        Ok(self.expression.evaluate(&scope)?.as_ref().is_truthy())
    }

    /// Whether all that satisfies it satisfies a wider one too: the same, or a comparison with a bound further out.
    pub fn implies(&self, wider: &Self) -> bool {
        let [narrow, wide] = [self, wider].map(|test| {
            let mut builder = DocumentBuilder::new();
            test.describe(&mut builder);
            builder.finish()
        });
        let (narrow, wide) = (narrow.as_document(), wide.as_document());
        if narrow.as_bytes() == wide.as_bytes() {
            return true;
        }
        let (Some(inner), Some(outer)) = (comparison(narrow), comparison(wide)) else {
            return false;
        };
        let is_further = match compare(inner.value, outer.value) {
            Ordering::Equal => outer.accepts_equal || !inner.accepts_equal,
            order => (order == Ordering::Greater) == inner.is_lower_bound,
        };
        is_further && inner.path == outer.path && inner.is_lower_bound == outer.is_lower_bound
    }

    /// Writes `$expr: …` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        self.expression.to_bson("$expr", builder);
    }
}

/// `{$expr: {$gte: ["$path", {$const: value}]}}`, or another comparison.
struct Bound<'b> {
    path: &'b str,
    is_lower_bound: bool,
    accepts_equal: bool,
    value: ValueRef<'b>,
}

fn comparison(test: Document<'_>) -> Option<Bound<'_>> {
    let call = test.get("$expr").as_document()?.iter().next()?;
    let mut sides = call.value.as_array()?.iter();
    let path = sides
        .next()?
        .as_str()
        .filter(|path| path.starts_with('$'))?;
    let value = sides.next()?.as_document()?.get("$const");
    let is_lower_bound = call.name.starts_with("$gt");
    (!value.is_missing() && matches!(call.name, "$gt" | "$gte" | "$lt" | "$lte")).then_some(Bound {
        path,
        is_lower_bound,
        accepts_equal: call.name.ends_with('e'),
        value,
    })
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    _: &str,
    value: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    if compiler.nested {
        return Err(bad_value(
            "$expr can only be applied to the top-level document",
        ));
    }
    // A filter sees documents alone: a `$meta` in it gives a missing value.
    let shared = &compiler.context.metadata;
    let outer = shared.take();
    let expression = expr::compile(value, compiler.context);
    shared.replace(outer);
    let expression = expression?;
    let reads = expression.dependencies();
    Ok(Some(MatchNode::Expr(ExprTest {
        expression: Rc::new(expression),
        reads,
    })))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matcher, matches, refusal};

    #[test]
    fn compares_fields_of_one_document() {
        let filter = "{$expr: {$gt: [\"$spent\", \"$budget\"]}}";
        assert!(matches(filter, "{spent: 5, budget: 3}"));
        assert!(!matches(filter, "{spent: 2, budget: 3}"));
        assert!(matches(
            "{a: 1, $expr: {$eq: [\"$a\", \"$b.c\"]}}",
            "{a: 1, b: {c: 1.0}}"
        ));
        assert!(matches("{$expr: true}", "{}"));
        assert!(!matches("{$expr: \"$a\"}", "{a: 0}"));
    }

    #[test]
    fn tells_what_it_reads() {
        let matcher = matcher("{b: 1, $expr: {$gt: [\"$a.c\", 1]}}").expect("a valid filter");
        let mut paths = Vec::new();
        assert!(matcher.root().collect_paths(&mut paths));
        assert_eq!(paths, ["b", "a.c"]);
    }

    #[test]
    fn stands_at_the_top_level_only() {
        assert_eq!(
            refusal("{a: {$elemMatch: {$expr: true}}}"),
            "2: $expr can only be applied to the top-level document"
        );
        assert_eq!(refusal("{a: {$expr: true}}"), "2: unknown operator: $expr");
    }
}
