//! `$bucket`: documents gathered by ranges of a value.
//!
//! Follows the manual's "$bucket (aggregation)" page. It is `$group` by a `$switch`, and `$sort`.

use super::super::stage::StagePlan;
use super::{group, sort};
use crate::bson::{ArrayBuilder, DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;
use crate::expr::{CompileContext, compile as compile_expression};
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, CommandError>;

fn refuse<T>(code: i32, message: impl Into<String>) -> Result<T> {
    Err(CommandError::location(code, message))
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return refuse(
            40201,
            format!(
                "Argument to $bucket stage must be an object, but found type: {}.",
                specification.type_name()
            ),
        );
    };
    let (mut by, mut list, mut default, mut output) = (None, None, None, None);
    for field in fields.iter() {
        match field.name {
            "groupBy" => by = Some(group_by(field.value, 40202, "$bucket")?),
            "boundaries" => list = Some(field.value),
            "default" => {
                let value = compile_expression(field.value, context)?;
                let Some(value) = value.as_constant() else {
                    return refuse(
                        40195,
                        "The $bucket 'default' field must be parseable as a literal or an expression \
                         that evaluates to a constant",
                    );
                };
                default = Some(value.clone());
            }
            "output" => match field.value {
                ValueRef::Document(fields) => output = Some(fields),
                other => {
                    return refuse(
                        40196,
                        format!(
                            "The $bucket 'output' field must be an object, but found type: {}.",
                            other.type_name()
                        ),
                    );
                }
            },
            other => return refuse(40197, format!("Unrecognized option to $bucket: {other}.")),
        }
    }
    let (Some(by), Some(list)) = (by, list) else {
        return refuse(
            40198,
            "$bucket requires 'groupBy' and 'boundaries' to be specified.",
        );
    };
    let boundaries = boundaries(list, context)?;
    if let Some(default) = &default {
        check_default(default.as_ref(), &boundaries, &context.collation)?;
    }
    let mut branches = ArrayBuilder::new();
    for pair in boundaries.windows(2) {
        let mut at_least = ArrayBuilder::new();
        at_least.push(by).push(&literal(pair[0].as_ref()));
        let mut below = ArrayBuilder::new();
        below.push(by).push(&literal(pair[1].as_ref()));
        let mut branch = DocumentBuilder::new();
        branch.begin_document("case").begin_array("$and");
        branch
            .begin_document("0")
            .append("$gte", &at_least.finish())
            .end();
        branch
            .begin_document("1")
            .append("$lt", &below.finish())
            .end();
        branch.end().end();
        branch.append("then", &literal(pair[0].as_ref()));
        branches.push(&branch.finish());
    }
    let mut grouping = DocumentBuilder::new();
    grouping.begin_document("_id").begin_document("$switch");
    grouping.append("branches", &branches.finish());
    if let Some(default) = &default {
        grouping.append("default", &literal(default.as_ref()));
    }
    grouping.end().end();
    match output {
        Some(output) => {
            grouping.append_all(output);
        }
        None => {
            grouping.begin_document("count").append("$sum", 1).end();
        }
    }
    let grouping = grouping.finish();
    let mut order = DocumentBuilder::new();
    order.append("_id", 1);
    let order = order.finish();
    let mut stages = group::compile("$group", ValueRef::from(&grouping), context)?;
    stages.extend(sort::compile("$sort", ValueRef::from(&order), context)?);
    Ok(stages)
}

/// The `groupBy` argument: a path or an expression.
pub fn group_by<'b>(value: ValueRef<'b>, code: i32, name: &str) -> Result<ValueRef<'b>> {
    let valid = match value {
        ValueRef::String(path) => path.has_dollar(),
        ValueRef::Document(expression) => {
            let first = expression.iter().next();
            first.is_some_and(|field| field.name.starts_with('$'))
        }
        _ => false,
    };
    if valid {
        return Ok(value);
    }
    refuse(
        code,
        format!("The {name} 'groupBy' field must be defined as a $-prefixed path or an expression"),
    )
}

fn literal(value: ValueRef<'_>) -> crate::bson::DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.append("$literal", value);
    builder.finish()
}

fn boundaries(list: ValueRef<'_>, context: &CompileContext<'_>) -> Result<Vec<Value<'static>>> {
    let ValueRef::Array(items) = list else {
        return refuse(
            40200,
            format!(
                "The $bucket 'boundaries' field must be an array, but found type: {}.",
                list.type_name()
            ),
        );
    };
    let mut values: Vec<Value<'static>> = Vec::new();
    for item in items.iter() {
        let expression = compile_expression(item, context)?;
        let Some(value) = expression.as_constant() else {
            return refuse(
                40191,
                "The $bucket 'boundaries' field must be an array of constant values",
            );
        };
        values.push(value.clone());
    }
    if values.len() < 2 {
        return refuse(
            40192,
            format!(
                "The $bucket 'boundaries' field must have at least 2 values, but found {} value(s).",
                values.len()
            ),
        );
    }
    for pair in values.windows(2) {
        let (lower, upper) = (pair[0].as_ref(), pair[1].as_ref());
        if lower.bson_type().canonical_class() != upper.bson_type().canonical_class() {
            return refuse(
                40193,
                "All values in the 'boundaries' option to $bucket must have the same type.",
            );
        }
        if context.collation.compare(lower, upper) != Ordering::Less {
            return refuse(
                40194,
                "The 'boundaries' option to $bucket must be sorted, but it is not.",
            );
        }
    }
    Ok(values)
}

fn check_default(
    default: ValueRef<'_>,
    boundaries: &[Value<'static>],
    collation: &Collation,
) -> Result<()> {
    let (Some(first), Some(last)) = (boundaries.first(), boundaries.last()) else {
        return Ok(());
    };
    let (first, last) = (first.as_ref(), last.as_ref());
    let same = first.bson_type().canonical_class() == default.bson_type().canonical_class();
    if same && collation.compare(default, first).is_ge() && collation.compare(default, last).is_lt()
    {
        return refuse(
            40199,
            "The $bucket 'default' field must be less than the lowest boundary or greater than or \
             equal to the highest boundary.",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, fails_on, gives};

    #[test]
    fn gathers_by_ranges() {
        gives(
            "[{$bucket: {groupBy: '$a', boundaries: [0, 10, 20], default: 'other', output: {n: {$sum: 1}, v: {$push: '$a'}}}}]",
            "[{a: 15}, {a: 5}, {a: 0}, {a: 99}, {}]",
            "[{_id: 0, n: 2, v: [5, 0]}, {_id: 10, n: 1, v: [15]}, {_id: 'other', n: 2, v: [99]}]",
        );
        gives(
            "[{$bucket: {groupBy: '$a', boundaries: [0, 10]}}]",
            "[{a: 5}]",
            "[{_id: 0, count: 1}]",
        );
        fails_on(
            "[{$bucket: {groupBy: '$a', boundaries: [0, 10]}}]",
            "[{a: 50}]",
            40066,
        );
        fails("[{$bucket: {groupBy: 'a', boundaries: [0, 10]}}]", 40202);
        fails("[{$bucket: {groupBy: '$a', boundaries: [10, 0]}}]", 40194);
        fails("[{$bucket: {groupBy: '$a', boundaries: [0, 'x']}}]", 40193);
        fails("[{$bucket: {groupBy: '$a', boundaries: [0]}}]", 40192);
        fails(
            "[{$bucket: {groupBy: '$a', boundaries: [0, 9], default: 5}}]",
            40199,
        );
        fails("[{$bucket: {groupBy: '$a'}}]", 40198);
        fails("[{$bucket: 5}]", 40201);
    }
}
