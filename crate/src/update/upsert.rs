//! The document that an upsert inserts.
//!
//! Follows the manual's "Upsert" sections. Invariant: values that the query requires to be equal are in the document
//! before the update is applied to it, and `_id` comes first.

use super::compile::{ApplyContext, Update, UpdateScratch, check_nesting};
use super::errors::{ensure_storable_id, fail};
use crate::algorithms::sorting;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef, builder::write_value};
use crate::error::{Code, CommandError};
use crate::query::predicate::comparison::ComparisonKind;
use crate::query::{MatchNode, Matcher};

/// Builds the document. `new_id` makes an `_id` when neither query nor update gives one.
///
/// # Errors
/// 54 `NotSingleValueField` when the query names a field twice, 111 `NotExactValueField` when it names a part of the
/// `_id` of a replacement; errors of the update.
pub fn document_for_upsert(
    update: &Update,
    query: &Matcher,
    context: &ApplyContext<'_>,
    scratch: &mut UpdateScratch,
    new_id: &mut dyn FnMut() -> [u8; 12],
) -> Result<DocumentBuf, CommandError> {
    let mut equalities = Vec::new();
    collect(query.root(), &mut equalities);
    if update.is_replacement() {
        equalities.retain(|(path, _)| *path == "_id" || path.starts_with("_id."));
        if let Some((path, _)) = equalities.iter().find(|(path, _)| path.len() > 3) {
            return fail(
                Code::NotExactValueField,
                // The server's own words run together.
                format!(
                    "field at '_id' must be exactly specified, field at sub-path '{path}'found"
                ),
            );
        }
    }
    let base = from_equalities(&mut equalities)?;
    let context = ApplyContext {
        env: context.env,
        now_millis: context.now_millis,
        timestamps: context.timestamps,
        array_index: None,
        is_insert: true,
    };
    let updated = update.apply(base.as_document(), &context, scratch)?;
    let document = updated.unwrap_or(base.as_document());
    check_nesting(document)?;
    let mut builder = DocumentBuilder::new();
    match document.get("_id") {
        ValueRef::Missing => {
            builder.append("_id", ValueRef::ObjectId(new_id()));
        }
        id => {
            ensure_storable_id(id)?;
            builder.append("_id", id);
        }
    }
    for element in document.iter().filter(|element| element.name != "_id") {
        builder.append_raw(element.raw);
    }
    Ok(builder.finish())
}

fn collect<'q>(node: &'q MatchNode, found: &mut Vec<(&'q str, ValueRef<'q>)>) {
    match node {
        MatchNode::And(children) => {
            for child in children {
                collect(child, found);
            }
        }
        // Alternatives of one are no alternatives.
        MatchNode::Or(children) if children.len() == 1 => collect(&children[0], found),
        MatchNode::Compare(test) if test.kind == ComparisonKind::Equal => {
            found.push((test.path.dotted(), test.operand.as_ref()));
        }
        _ => {}
    }
}

/// Nests dotted equalities into a document.
fn from_equalities(equalities: &mut [(&str, ValueRef<'_>)]) -> Result<DocumentBuf, CommandError> {
    // In this order paths with a common beginning are neighbours.
    sorting::sort_by(equalities, &mut |left, right| {
        left.0.split('.').cmp(right.0.split('.'))
    });
    for pair in equalities.windows(2) {
        let [(first, _), (second, _)] = pair else {
            continue;
        };
        if first == second {
            return fail(
                Code::NotSingleValueField,
                format!("cannot infer query fields to set, path '{first}' is matched twice"),
            );
        }
        if second
            .strip_prefix(first)
            .is_some_and(|rest| rest.starts_with('.'))
        {
            return fail(
                Code::NotSingleValueField,
                format!(
                    "cannot infer query fields to set, both paths '{first}' and '{second}' are matched"
                ),
            );
        }
    }
    let mut bytes = Vec::new();
    nest(equalities, 0, &mut bytes);
    Ok(Document::from_valid_bytes(&bytes).to_buf())
}

/// Writes the equalities whose paths agree in their first `depth` parts as one document.
fn nest(equalities: &[(&str, ValueRef<'_>)], depth: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let part = |path: &'_ str| path.split('.').nth(depth).unwrap_or("").len();
    let mut rest = equalities;
    while let Some(((path, value), _)) = rest.split_first() {
        let prefix = path
            .split('.')
            .take(depth)
            .map(|part| part.len() + 1)
            .sum::<usize>();
        let end = prefix + part(path);
        let (name, whole) = (&path[prefix..end], end == path.len());
        let same = rest
            .iter()
            .take_while(|(other, _)| other.split('.').nth(depth) == Some(name))
            .count()
            .max(1);
        let kind = match whole {
            true => value.bson_type(),
            false => crate::bson::BsonType::Document,
        };
        out.push(kind as u8);
        out.extend_from_slice(name.as_bytes());
        out.push(0);
        if whole {
            write_value(out, *value);
        } else {
            nest(&rest[..same], depth + 1, out);
        }
        rest = &rest[same..];
    }
    out.push(0);
    let length = (out.len() - start) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}
