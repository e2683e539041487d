//! What a filter of measurements says of their buckets: by the meta field exactly, by the least and greatest values
//! loosely.
//!
//! `{sensor: "a", v: {$gt: 5}}` becomes `{meta: "a", $expr: {$gt: ["$control.max.v", 5]}}`. Invariant: no bucket is
//! left out that has a measurement which the filter matches. Values compare in the order of all types, because a bucket
//! may have several; a bucket whose values are arrays is never left out by them, for a filter matches their items.

use super::super::filters;
use crate::bson::{
    Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef, compare, is_digits,
};
use crate::catalog::Series;
use crate::catalog::series::options::id_at;
use crate::error::CommandError;
use crate::expr::CompileContext;
use crate::query::predicate::comparison::ComparisonKind;
use crate::query::{MatchNode, Matcher};
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, CommandError>;

/// A filter over the meta field of measurements as one over their buckets; `None` for one that looks at anything else.
pub fn meta_filter(series: &Series, filter: Document<'_>) -> Option<DocumentBuf> {
    let is_own = |name: &str| series.meta_path(name).is_some();
    let names = |path: &str| series.meta_path(path).unwrap_or_default();
    all_named(filter, &is_own).then(|| filters::rename(filter, &names))
}

/// The filter of buckets that may have a measurement which a filter matches; `None` where it says nothing of buckets.
pub fn bucket_filter(series: &Series, filter: &Matcher) -> Option<DocumentBuf> {
    BucketPaths::of(series).bucket_filter(filter.root())
}

/// Whether all paths of a filter, and of those below its `$and`, `$or` and `$nor`, are so.
fn all_named(filter: Document<'_>, is_own: &dyn Fn(&str) -> bool) -> bool {
    filter.iter().all(|field| match (field.name, field.value) {
        ("$and" | "$or" | "$nor", ValueRef::Array(children)) => children.iter().all(|child| {
            child
                .as_document()
                .is_some_and(|child| all_named(child, is_own))
        }),
        (name, _) => !name.starts_with('$') && is_own(name),
    })
}

/// How the fields of measurements are called in a bucket.
pub struct BucketPaths {
    pub time: Box<str>,
    pub meta: Option<Box<str>>,
    /// The most seconds of a bucket.
    pub span: i64,
}

impl BucketPaths {
    /// The paths of a series' buckets.
    pub fn of(series: &Series) -> Self {
        Self {
            time: series.time_field.clone(),
            meta: series.meta_field.clone(),
            span: series.span,
        }
    }

    /// The path in a bucket of a path in the meta field; `None` for another path.
    pub fn meta_path(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(self.meta.as_deref()?)?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("meta{rest}"))
    }

    /// The filter of buckets that may have a measurement which the filter matches; `None` for all buckets.
    ///
    /// # Errors
    /// Errors of compiling it.
    pub fn loose(
        &self,
        filter: &MatchNode,
        context: &CompileContext<'_>,
    ) -> Result<Option<MatchNode>> {
        let Some(filter) = self.bucket_filter(filter) else {
            return Ok(None);
        };
        let compiled = Matcher::compile(filter.as_document(), context)?;
        Ok(Some(compiled.root().clone()))
    }

    /// Whether a filter asks for the meta field alone, of which all measurements of a bucket have the same.
    fn is_by_meta(&self, filter: &MatchNode) -> bool {
        let mut paths = Vec::new();
        filter.collect_paths(&mut paths)
            && !paths.is_empty()
            && paths.iter().all(|path| self.meta_path(path).is_some())
    }

    /// Collects the bounds of the time within which all measurements match of a bucket that `loose` lets through; false
    /// for a filter that asks for more.
    pub fn tight(&self, filter: &MatchNode, bounds: &mut Vec<(ComparisonKind, i64)>) -> bool {
        match filter {
            MatchNode::And(children) => children.iter().all(|one| self.tight(one, bounds)),
            MatchNode::Compare(test) if test.path.dotted() == &*self.time => {
                let ValueRef::DateTime(value) = test.operand.as_ref() else {
                    return false;
                };
                bounds.push((test.kind, value));
                true
            }
            other => self.is_by_meta(other),
        }
    }

    fn bucket_filter(&self, filter: &MatchNode) -> Option<DocumentBuf> {
        if self.is_by_meta(filter) {
            let own = filter.to_bson();
            let names = |path: &str| self.meta_path(path).unwrap_or_default();
            return Some(filters::rename(own.as_document(), &names));
        }
        match filter {
            MatchNode::And(children) => {
                let parts: Vec<_> = children
                    .iter()
                    .filter_map(|one| self.bucket_filter(one))
                    .collect();
                (!parts.is_empty()).then(|| joined("$and", &parts))
            }
            MatchNode::Or(children) => {
                let parts: Option<Vec<_>> =
                    children.iter().map(|one| self.bucket_filter(one)).collect();
                parts.map(|parts| joined("$or", &parts))
            }
            MatchNode::Compare(test) if test.collation.is_simple() => {
                let value = test.operand.as_ref();
                self.bounds(test.path.dotted(), test.kind, value, value)
            }
            MatchNode::In(test) if test.regexes.is_empty() && test.collation.is_simple() => {
                let mut values = test.values.iter().map(|value| value.as_ref());
                let first = values.next()?;
                let (mut least, mut greatest) = (first, first);
                for value in values {
                    // All of one type, so that none is left out by its bracket.
                    if value.bson_type().canonical_class() != first.bson_type().canonical_class() {
                        return None;
                    }
                    if compare(value, least) == Ordering::Less {
                        least = value;
                    }
                    if compare(value, greatest) == Ordering::Greater {
                        greatest = value;
                    }
                }
                self.bounds(test.path.dotted(), ComparisonKind::Equal, least, greatest)
            }
            _ => None,
        }
    }

    /// The buckets with a value at a path that compares so; `least` and `greatest` are the same but for a list.
    fn bounds(
        &self,
        path: &str,
        kind: ComparisonKind,
        least: ValueRef<'_>,
        greatest: ValueRef<'_>,
    ) -> Option<DocumentBuf> {
        // The operators for a bucket's greatest and least values.
        let (above, below) = match kind {
            ComparisonKind::Equal => (Some("$gte"), Some("$lte")),
            ComparisonKind::Less | ComparisonKind::LessOrEqual => (None, Some(kind.name())),
            ComparisonKind::Greater | ComparisonKind::GreaterOrEqual => (Some(kind.name()), None),
        };
        let is_bounded = matches!(
            least,
            ValueRef::Boolean(_)
                | ValueRef::Int32(_)
                | ValueRef::Int64(_)
                | ValueRef::Double(_)
                | ValueRef::Decimal128(_)
                | ValueRef::String(_)
                | ValueRef::DateTime(_)
                | ValueRef::ObjectId(_)
                | ValueRef::Timestamp { .. }
        );
        let is_nan = least.as_number().is_some_and(|number| number.is_nan())
            || greatest.as_number().is_some_and(|number| number.is_nan());
        if !is_bounded || is_nan || path.split('.').any(is_digits) {
            return None;
        }
        let mut all = Vec::new();
        if path == &*self.time {
            let (ValueRef::DateTime(least), ValueRef::DateTime(greatest)) = (least, greatest)
            else {
                return None;
            };
            let span = self.span.saturating_mul(1000);
            let mut bound = |path: &str, name: &str, value: ValueRef<'_>| {
                let mut test = DocumentBuilder::new();
                test.begin_document(path).append(name, value).end();
                all.push(test.finish());
            };
            let (min, max) = (format!("control.min.{path}"), format!("control.max.{path}"));
            if let Some(name) = above {
                let earliest = least.saturating_sub(span);
                bound(&max, name, ValueRef::DateTime(least));
                bound(&min, name, ValueRef::DateTime(earliest));
                bound("_id", "$gte", ValueRef::ObjectId(id_at(earliest, false)));
            }
            if let Some(name) = below {
                bound(&min, name, ValueRef::DateTime(greatest));
                bound(
                    &max,
                    name,
                    ValueRef::DateTime(greatest.saturating_add(span)),
                );
                bound("_id", "$lte", ValueRef::ObjectId(id_at(greatest, true)));
            }
            return Some(joined("$and", &all));
        }
        // An item of an array matches too. A bucket with an array has a least value no greater than that array, and a
        // greatest value no less: where the value looked for sorts on the other side of arrays, the bucket is read too.
        if let Some(name) = above {
            let mut either = vec![expression(name, "max", path, least)];
            if sorts_behind_arrays(least) {
                let (subtype, bytes) = (0, &[][..]);
                let behind = ValueRef::Binary { subtype, bytes };
                either.push(expression("$lt", "min", path, behind));
            }
            all.push(joined("$or", &either));
        }
        if let Some(name) = below {
            let mut either = vec![expression(name, "min", path, greatest)];
            if !sorts_behind_arrays(greatest) {
                either.push(expression(
                    "$gte",
                    "max",
                    path,
                    ValueRef::Array(Array::EMPTY),
                ));
            }
            all.push(joined("$or", &either));
        }
        Some(joined("$and", &all))
    }
}

/// Whether a value with bounds is greater than every array.
fn sorts_behind_arrays(value: ValueRef<'_>) -> bool {
    value.as_number().is_none() && !matches!(value, ValueRef::String(_))
}

/// A bucket's least or greatest value at a path compared with a value.
fn expression(name: &str, side: &str, path: &str, value: ValueRef<'_>) -> DocumentBuf {
    let mut literal = DocumentBuilder::new();
    literal.append("$const", value);
    let literal = literal.finish();
    let mut sides = ArrayBuilder::new();
    sides.push(format!("$control.{side}.{path}").as_str());
    sides.push(literal.as_document());
    let mut test = DocumentBuilder::new();
    test.begin_document("$expr")
        .append(name, &sides.finish())
        .end();
    test.finish()
}

fn joined(name: &str, parts: &[DocumentBuf]) -> DocumentBuf {
    if let [one] = parts {
        return one.clone();
    }
    let mut list = ArrayBuilder::new();
    for part in parts {
        list.push(part.as_document());
    }
    let mut builder = DocumentBuilder::new();
    builder.append(name, &list.finish());
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::explain;

    #[track_caller]
    fn becomes(filter: &str, buckets: &str) {
        let unpack =
            "$_internalUnpackBucket: {timeField: 't', metaField: 'm', bucketMaxSpanSeconds: 60}";
        let shown = explain(&format!("[{{{unpack}}}, {{$match: {filter}}}]"));
        let expected = match buckets {
            "" => "[{$_internal".to_owned(),
            buckets => format!("[{{$match: {buckets}}}, {{$_internal"),
        };
        assert!(shown.starts_with(&expected), "{filter}: {shown}");
    }

    #[test]
    fn filters_say_something_of_buckets() {
        becomes("{m: 1}", "{meta: {$eq: 1}}");
        becomes("{'m.a': {$in: [1, 2]}}", "{meta.a: {$in: [1, 2]}}");
        becomes("{mm: null}", "");
        becomes(
            "{v: {$gt: 5}}",
            "{$expr: {$gt: ['$control.max.v', {$const: 5}]}}",
        );
        becomes(
            "{v: {$lte: 5}}",
            "{$or: [{$expr: {$lte: ['$control.min.v', {$const: 5}]}}, {$expr: {$gte: ['$control.max.v', {$const: []}]}}]}",
        );
        becomes(
            "{v: {$gt: true}}",
            "{$or: [{$expr: {$gt: ['$control.max.v', {$const: true}]}}, {$expr: {$lt: ['$control.min.v', \
             {$const: Binary { subtype: 0, bytes: [] }}]}}]}",
        );
        becomes("{v: {$gt: null}}", "");
        becomes("{v: {$ne: 1}}", "");
        becomes("{'v.0': 1}", "");
        becomes("{$or: [{v: {$gt: 5}}, {w: {$exists: true}}]}", "");
        becomes(
            "{$or: [{v: {$gt: 5}}, {m: 2}]}",
            "{$or: [{meta: {$eq: 2}}, {$expr: {$gt: ['$control.max.v', {$const: 5}]}}]}",
        );
    }
}
