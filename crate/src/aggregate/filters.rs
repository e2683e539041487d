//! Filters taken apart and renamed, for a `$match` that moves to where its documents come from. Behind `{$project: {b:
//! "$a"}}` the filter `{b: 5}` becomes `{a: 5}` before it.
//!
//! Follows the manual's "Aggregation Pipeline Optimization" page. Invariant: both parts of a split together match the
//! same documents as the filter; a part that moves before a stage asks there for the same values under the names they
//! have there.

use super::stage::{StagePlan, first_of};
use crate::bson::{ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef, is_digits};
use crate::error::CommandError;
use crate::expr::CompileContext;
use crate::expr::node::Node;
use crate::query::{MatchNode, Matcher};

type Result<T> = std::result::Result<T, CommandError>;

/// A filter in two: the part that may run before a stage, and the part that must stay behind it.
pub struct Split {
    pub before: MatchNode,
    pub after: Option<MatchNode>,
}

/// Splits a filter that follows a stage; `None` when nothing of it may move.
///
/// # Errors
/// Errors of compiling a renamed filter.
pub fn split(
    filter: &MatchNode,
    stage: &dyn StagePlan,
    context: &CompileContext<'_>,
) -> Result<Option<Split>> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for conjunct in movable_parts(filter) {
        match moved(&conjunct, stage, context)? {
            Some(moved) => before.push(moved),
            None => after.push(conjunct),
        }
    }
    Ok((!before.is_empty()).then(|| Split {
        before: all_of(before),
        after: (!after.is_empty()).then(|| all_of(after)),
    }))
}

/// The filter that asks for both.
pub fn both(first: &MatchNode, second: &MatchNode) -> MatchNode {
    let mut all = movable_parts(first);
    all.extend(movable_parts(second));
    all_of(all)
}

/// The filter over the values at a path as a filter over those values themselves; `None` when it looks at anything but
/// fields below the path.
///
/// # Errors
/// Errors of compiling the renamed filter.
pub fn descended(
    filter: &MatchNode,
    path: &str,
    context: &CompileContext<'_>,
) -> Result<Option<MatchNode>> {
    let below = |full: &str| -> Option<String> {
        let rest = full.strip_prefix(path)?.strip_prefix('.')?;
        Some(rest.to_owned())
    };
    let mut paths = Vec::new();
    let all_below = filter.collect_paths(&mut paths)
        && !paths.is_empty()
        && paths.iter().all(|full| below(full).is_some());
    if !all_below || any(filter, &|node| !is_plain_leaf(node)) {
        return Ok(None);
    }
    renamed(filter, &|full| below(full).unwrap_or_default(), context).map(Some)
}

/// A part of a filter that no cut document of `$redact` can match unless the whole one does; `None` for nothing.
pub fn safe_before_redact(filter: &MatchNode) -> Option<MatchNode> {
    let safe: Vec<MatchNode> = movable_parts(filter)
        .into_iter()
        .filter(is_monotonous)
        .collect();
    (!safe.is_empty()).then(|| all_of(safe))
}

/// Whether cutting parts out of a document can only make it stop matching.
fn is_monotonous(node: &MatchNode) -> bool {
    match node {
        MatchNode::And(children) | MatchNode::Or(children) => children.iter().all(is_monotonous),
        MatchNode::Compare(test) => {
            is_named(test.path.dotted()) && is_scalar(test.operand.as_ref())
        }
        MatchNode::In(test) => {
            is_named(test.path.dotted())
                && test.regexes.is_empty()
                && test.values.iter().all(|value| is_scalar(value.as_ref()))
        }
        MatchNode::Exists(path) => is_named(path.dotted()),
        _ => false,
    }
}

/// Whether no component of a path may be a position in an array, which cutting would shift.
fn is_named(path: &str) -> bool {
    !path.split('.').any(is_digits)
}

fn is_scalar(value: ValueRef<'_>) -> bool {
    !matches!(
        value,
        ValueRef::Missing
            | ValueRef::Null
            | ValueRef::Undefined
            | ValueRef::Array(_)
            | ValueRef::Document(_)
            | ValueRef::MinKey
            | ValueRef::MaxKey
    )
}

/// The tests that must all hold; every one of them may move alone. A nested `$and` is opened, and a `$nor` becomes one
/// `$nor` for each of its filters.
fn movable_parts(filter: &MatchNode) -> Vec<MatchNode> {
    match filter {
        MatchNode::And(children) => children.iter().flat_map(movable_parts).collect(),
        MatchNode::Nor(children) => { children.iter() }
            .map(|child| MatchNode::Nor(vec![child.clone()]))
            .collect(),
        other => vec![other.clone()],
    }
}

fn all_of(tests: Vec<MatchNode>) -> MatchNode {
    // Neighbours among the negated alternatives become one list again.
    let (denied, mut all): (Vec<_>, Vec<_>) = tests
        .into_iter()
        .partition(|test| matches!(test, MatchNode::Nor(_)));
    let denied: Vec<MatchNode> = denied
        .into_iter()
        .flat_map(|test| match test {
            MatchNode::Nor(children) => children,
            other => vec![other],
        })
        .collect();
    if !denied.is_empty() {
        all.push(MatchNode::Nor(denied));
    }
    MatchNode::And(all).optimise()
}

/// The test as it reads before the stage; `None` when it must stay behind.
fn moved(
    test: &MatchNode,
    stage: &dyn StagePlan,
    context: &CompileContext<'_>,
) -> Result<Option<MatchNode>> {
    let mut paths = Vec::new();
    if !test.collect_paths(&mut paths) || paths.is_empty() || any(test, &is_random) {
        return Ok(None);
    }
    let mut is_renamed = false;
    let mut hides = false;
    let finds_nothing = any(test, &finds_nothing);
    for path in &paths {
        let Some(before) = stage.path_before(path) else {
            return Ok(None);
        };
        // A stage that writes beside the path may make documents of an array's items, or of a plain value.
        let first = first_of(path);
        if (finds_nothing || !is_named(path))
            && first != &**path
            && stage.path_before(first).is_none()
        {
            return Ok(None);
        }
        is_renamed |= before != **path;
        hides |= stage.hides_absence(path);
    }
    if (hides && any(test, &|node| matches!(node, MatchNode::Exists(_))))
        || (stage.hides_types() && any(test, &asks_for_type))
    {
        return Ok(None);
    }
    if !is_renamed {
        return Ok(Some(test.clone()));
    }
    let before = |path: &str| stage.path_before(path).unwrap_or_default();
    renamed(test, &before, context).map(Some)
}

/// Whether a test holds anywhere in the tree, `$elemMatch` not entered.
fn any(node: &MatchNode, holds: &dyn Fn(&MatchNode) -> bool) -> bool {
    holds(node) || node.children().iter().any(|child| any(child, holds))
}

/// Whether a test finds a value that is not there.
fn finds_nothing(node: &MatchNode) -> bool {
    match node {
        MatchNode::Compare(test) => test.operand.as_ref().is_nullish(),
        MatchNode::In(test) => { test.values.iter() }.any(|value| value.as_ref().is_nullish()),
        _ => false,
    }
}

/// Whether two looks at one document may differ.
fn is_random(node: &MatchNode) -> bool {
    match node {
        MatchNode::SampleRate(_) => true,
        MatchNode::Expr(test) => {
            let mut random = false;
            test.expression().node().visit(&mut |node| {
                random |= matches!(node, Node::Call(call) if matches!(call.name, "$rand" | "$function"));
            });
            random
        }
        _ => false,
    }
}

/// Whether a test tells values of one number, or null and nothing, apart.
fn asks_for_type(node: &MatchNode) -> bool {
    matches!(node, MatchNode::Type(_) | MatchNode::Expr(_))
}

/// Whether a node is a test of one path by itself, or only joins such tests.
fn is_plain_leaf(node: &MatchNode) -> bool {
    !matches!(
        node,
        MatchNode::Expr(_)
            | MatchNode::ElemMatchObject(_)
            | MatchNode::ElemMatchValue(_)
            | MatchNode::SampleRate(_)
            | MatchNode::Text(_)
            | MatchNode::AlwaysTrue
            | MatchNode::AlwaysFalse
    )
}

/// New names for paths.
pub(super) type Names<'n> = dyn Fn(&str) -> String + 'n;

fn renamed(node: &MatchNode, names: &Names<'_>, context: &CompileContext<'_>) -> Result<MatchNode> {
    let filter = rename(node.to_bson().as_document(), names);
    Ok(Matcher::compile(filter.as_document(), context)?
        .root()
        .clone())
}

/// Renames the paths of a filter in its canonical form.
pub(super) fn rename(filter: Document<'_>, names: &Names<'_>) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    for field in filter.iter() {
        match (field.name, field.value) {
            ("$and" | "$or" | "$nor", ValueRef::Array(children)) => {
                let mut list = ArrayBuilder::new();
                for child in children.iter() {
                    list.push(&rename(
                        child.as_document().unwrap_or(Document::EMPTY),
                        names,
                    ));
                }
                builder.append(field.name, &list.finish());
            }
            ("$expr", value) => rename_expression("$expr", value, names, &mut builder),
            (name, _) if name.starts_with('$') => {
                builder.append_raw(field.raw);
            }
            (path, value) => {
                builder.append(&names(path), value);
            }
        }
    }
    builder.finish()
}

/// Renames the field paths of an expression in its canonical form, where every literal stands in `$const`.
fn rename_expression(
    name: &str,
    value: ValueRef<'_>,
    names: &Names<'_>,
    builder: &mut DocumentBuilder,
) {
    match value {
        ValueRef::String(text) => {
            let path = text.to_str().and_then(|text| {
                ["$$ROOT.", "$$CURRENT."]
                    .iter()
                    .find_map(|variable| text.strip_prefix(variable))
                    .or_else(|| text.strip_prefix('$').filter(|path| !path.starts_with('$')))
            });
            match path {
                Some(path) => builder.append(name, format!("${}", names(path)).as_str()),
                None => builder.append(name, text),
            };
        }
        ValueRef::Document(fields) => {
            builder.begin_document(name);
            for field in fields.iter() {
                if field.name == "$const" {
                    builder.append_raw(field.raw);
                } else {
                    rename_expression(field.name, field.value, names, builder);
                }
            }
            builder.end();
        }
        ValueRef::Array(items) => {
            builder.begin_array(name);
            for (position, item) in items.iter().enumerate() {
                rename_expression(&position.to_string(), item, names, builder);
            }
            builder.end();
        }
        other => {
            builder.append(name, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::testing::{document, show};

    fn filter(text: &str) -> MatchNode {
        let context = super::super::testing::context();
        Matcher::compile(document(text).as_document(), &context)
            .expect("a valid filter")
            .root()
            .clone()
    }

    fn shown(node: Option<MatchNode>) -> String {
        node.map_or("none".to_owned(), |node| {
            show(ValueRef::from(&node.to_bson()))
        })
    }

    #[test]
    fn descends_into_a_path() {
        let descend = |text: &str| {
            let context = super::super::testing::context();
            shown(descended(&filter(text), "o", &context).expect("compiles"))
        };
        assert_eq!(descend("{'o.a': 1}"), "{a: {$eq: 1}}");
        assert_eq!(
            descend("{$or: [{'o.a': 1}, {'o.b.c': {$gt: 2}}]}"),
            "{$or: [{a: {$eq: 1}}, {b.c: {$gt: 2}}]}"
        );
        assert_eq!(descend("{o: 1}"), "none");
        assert_eq!(descend("{'o.a': {$elemMatch: {b: 1}}}"), "none");
        assert_eq!(descend("{$expr: {$eq: ['$o.a', 1]}}"), "none");
        assert_eq!(descend("{'o.a': 1, x: 1}"), "none");
    }

    #[test]
    fn knows_what_cutting_cannot_make_true() {
        let safe = |text: &str| shown(safe_before_redact(&filter(text)));
        assert_eq!(
            safe("{a: 1, b: {$ne: 2}, 'c.0': 1, d: null}"),
            "{a: {$eq: 1}}"
        );
        assert_eq!(
            safe("{$or: [{a: 1}, {b: {$exists: true}}]}"),
            "{$or: [{a: {$eq: 1}}, {b: {$exists: true}}]}"
        );
        assert_eq!(safe("{a: {$exists: false}}"), "none");
    }

    #[test]
    fn renames_paths_of_expressions() {
        let context = super::super::testing::context();
        let node = filter("{$expr: {$eq: ['$a.b', {$literal: '$a'}]}, a: 1}");
        let renamed = renamed(&node, &|path| path.replacen('a', "z", 1), &context);
        assert_eq!(
            shown(renamed.ok()),
            "{$and: [{z: {$eq: 1}}, {$expr: {$eq: ['$z.b', {$const: '$a'}]}}]}"
        );
    }
}
