//! `queryShapeHash`: one hash for all queries that differ in their values alone.
//!
//! Manual: reference/explain-results, core/query-shape. It is made of a read as it was asked, before anything is
//! optimized: names, operators, sort, projection, options and all stages as they stand, of each value its type. Its
//! digits are not those of a server, which serializes shapes in a form of its own. Invariants: 64 hexadecimal digits;
//! the same for the same shape in every engine.

use crate::algorithms::md5::Md5;
use crate::bson::{Array, BsonType, Document, Element, ValueRef};
use crate::command::table;
use crate::plan::notation;

/// How a field of a command is part of its shape.
#[derive(Clone, Copy)]
enum Part {
    Filter,
    Pipeline,
    Projection,
    /// Constants are values, all else is kept.
    Expression,
    /// As it stands.
    Whole,
}

/// The fields that shapes have, whatever their order is in the command.
const FIELDS: [(&str, Part); 18] = [
    ("key", Part::Whole),
    ("filter", Part::Filter),
    ("query", Part::Filter),
    ("pipeline", Part::Pipeline),
    ("projection", Part::Projection),
    ("sort", Part::Whole),
    ("hint", Part::Whole),
    ("collation", Part::Whole),
    ("let", Part::Expression),
    ("min", Part::Expression),
    ("max", Part::Expression),
    ("skip", Part::Expression),
    ("limit", Part::Expression),
    ("singleBatch", Part::Whole),
    ("returnKey", Part::Whole),
    ("showRecordId", Part::Whole),
    ("tailable", Part::Whole),
    ("awaitData", Part::Whole),
];

/// Stages whose strings are values, where they do not begin with `$`. Those of all others are names.
const COMPUTING: [&str; 8] = [
    "$addFields",
    "$bucket",
    "$group",
    "$redact",
    "$replaceRoot",
    "$replaceWith",
    "$set",
    "$sortByCount",
];

/// The hash of a command's shape; none of a command that is no query.
pub fn shape_hash(command: Document<'_>, database: &str) -> Option<String> {
    let first = command.iter().next()?;
    let row = table::find(first.name).filter(|row| row.has_shape)?;
    let mut shape = format!("{} {database}.", row.name);
    whole(first.value, &mut shape);
    for (name, part) in FIELDS {
        let value = command.get(name);
        let is_default = match value {
            ValueRef::Document(document) => document.is_empty(),
            ValueRef::Array(_) | ValueRef::String(_) => false,
            other => !other.is_truthy(),
        };
        if is_default {
            continue;
        }
        shape.push('\n');
        shape.push_str(name);
        shape.push(' ');
        match (part, value) {
            (Part::Filter, ValueRef::Document(filter)) => predicates(filter, &mut shape),
            (Part::Pipeline, ValueRef::Array(stages)) => pipeline(stages, &mut shape),
            (Part::Projection, ValueRef::Document(fields)) => projection(fields, &mut shape),
            (Part::Expression, value) => expression(value, &mut shape),
            (_, value) => whole(value, &mut shape),
        }
    }
    let digest = |salt: u8| {
        let mut digest = Md5::default();
        digest.update(&[salt]);
        digest.update(shape.as_bytes());
        digest.text().to_ascii_uppercase()
    };
    Some(digest(0) + &digest(1))
}

fn whole(value: ValueRef<'_>, shape: &mut String) {
    match value {
        // No number looks like a name.
        ValueRef::Double(number) if number.fract() == 0.0 => {
            notation::value(ValueRef::Int64(number as i64), shape);
        }
        ValueRef::Document(document) => fields(document, shape, &mut |field, shape| {
            whole(field.value, shape);
        }),
        value => notation::value(value, shape),
    }
}

/// Writes the fields of a document, each with its name.
fn fields(
    document: Document<'_>,
    shape: &mut String,
    write: &mut dyn FnMut(Element<'_>, &mut String),
) {
    shape.push('{');
    for field in document.iter() {
        shape.push_str(field.name);
        shape.push(':');
        write(field, shape);
        shape.push(',');
    }
    shape.push('}');
}

fn type_of(value: ValueRef<'_>) -> &'static str {
    match value.bson_type() {
        BsonType::Int32 | BsonType::Int64 | BsonType::Double | BsonType::Decimal128 => "number",
        _ => value.type_name(),
    }
}

/// A value: its type, of an array that of its items where they have one.
fn literal(value: ValueRef<'_>, shape: &mut String) {
    shape.push('?');
    shape.push_str(type_of(value));
    if let ValueRef::Array(items) = value {
        let mut types = items.iter().map(type_of);
        let first = types.next().unwrap_or_default();
        shape.push('<');
        shape.push_str(if types.all(|one| one == first) {
            first
        } else {
            ""
        });
        shape.push('>');
    }
}

fn is_of_operators(document: Document<'_>) -> bool {
    let first = document.iter().next();
    first.is_some_and(|first| first.name.starts_with('$') && !first.name.starts_with("$ref"))
}

/// Those of an `$and` stand beside the others.
fn predicates(filter: Document<'_>, shape: &mut String) {
    for field in filter.iter() {
        match (field.name, field.value) {
            ("$and", ValueRef::Array(all)) => {
                let all = all.iter().filter_map(ValueRef::as_document);
                all.for_each(|one| predicates(one, shape));
            }
            ("$or" | "$nor", ValueRef::Array(any)) => {
                shape.push_str(field.name);
                for one in any.iter().filter_map(ValueRef::as_document) {
                    shape.push('(');
                    predicates(one, shape);
                    shape.push(')');
                }
                shape.push(',');
            }
            ("$comment", _) => {}
            ("$expr", value) => {
                shape.push_str("$expr:");
                expression(value, shape);
            }
            ("$jsonSchema", schema) => {
                shape.push_str("$jsonSchema:");
                options(schema, shape);
            }
            (name, value) if name.starts_with('$') => {
                shape.push_str(name);
                literal(value, shape);
            }
            (path, ValueRef::Document(operators)) if is_of_operators(operators) => {
                conditions(path, operators, shape);
            }
            (path, ValueRef::Regex { .. }) => condition(path, "$regex", "".into(), shape),
            (path, value) => condition(path, "$eq", value, shape),
        }
    }
}

fn conditions(path: &str, operators: Document<'_>, shape: &mut String) {
    // The options are of the regular expression beside them.
    for operator in operators.iter().filter(|one| one.name != "$options") {
        condition(path, operator.name, operator.value, shape);
    }
}

fn condition(path: &str, operator: &str, value: ValueRef<'_>, shape: &mut String) {
    shape.push_str(path);
    shape.push(':');
    shape.push_str(operator);
    shape.push(':');
    match (operator, value) {
        ("$not" | "$elemMatch", ValueRef::Document(inner)) => {
            shape.push('(');
            match is_of_operators(inner) && !inner.iter().any(|one| is_logical(one.name)) {
                true => conditions("", inner, shape),
                false => predicates(inner, shape),
            }
            shape.push(')');
        }
        // Aliases are no values; a list of one is as that one.
        ("$type", ValueRef::Array(types)) if types.len() == 1 => whole(types.get(0), shape),
        ("$type", value) => whole(value, shape),
        ("$regex", _) => literal("".into(), shape),
        ("$exists", value) => shape.push(if value.is_truthy() { '1' } else { '0' }),
        // Each item is a condition of its own.
        ("$all", ValueRef::Array(items)) => items.iter().for_each(|item| literal(item, shape)),
        (_, value) => literal(value, shape),
    }
    shape.push(',');
}

fn is_logical(name: &str) -> bool {
    matches!(name, "$and" | "$or" | "$nor" | "$expr")
}

fn expression(value: ValueRef<'_>, shape: &mut String) {
    match value {
        ValueRef::String(text) if text.as_bytes().starts_with(b"$") => whole(value, shape),
        ValueRef::Document(document) => fields(
            document,
            shape,
            &mut |field, shape| match field.name == "$literal" {
                true => literal(field.value, shape),
                false => expression(field.value, shape),
            },
        ),
        ValueRef::Array(items) => {
            shape.push('[');
            for item in items.iter() {
                expression(item, shape);
                shape.push(',');
            }
            shape.push(']');
        }
        value => literal(value, shape),
    }
}

fn projection(document: Document<'_>, shape: &mut String) {
    fields(document, shape, &mut |field, shape| match field.value {
        ValueRef::Document(inner) if !is_of_operators(inner) => projection(inner, shape),
        value @ (ValueRef::Document(_) | ValueRef::Array(_) | ValueRef::String(_)) => {
            expression(value, shape);
        }
        value => shape.push(if value.is_truthy() { '1' } else { '0' }),
    });
}

fn pipeline(stages: Array<'_>, shape: &mut String) {
    for stage in stages.iter().filter_map(ValueRef::as_document) {
        let Some(stage) = stage.iter().next() else {
            continue;
        };
        shape.push_str(stage.name);
        shape.push('(');
        match (stage.name, stage.value) {
            ("$match", ValueRef::Document(filter)) => predicates(filter, shape),
            ("$project", ValueRef::Document(fields)) => projection(fields, shape),
            ("$sort", value) => whole(value, shape),
            (name, value) if COMPUTING.contains(&name) => expression(value, shape),
            (_, value) => options(value, shape),
        }
        shape.push(')');
    }
}

/// Options of a stage: names, values, and pipelines of its own.
fn options(value: ValueRef<'_>, shape: &mut String) {
    match value {
        ValueRef::String(_) | ValueRef::Boolean(_) => whole(value, shape),
        ValueRef::Document(document) => fields(document, shape, &mut |field, shape| match (
            field.name,
            field.value,
        ) {
            ("sortBy", value) => whole(value, shape),
            (_, ValueRef::Array(stages)) if is_pipeline(stages) => pipeline(stages, shape),
            (_, value) => options(value, shape),
        }),
        ValueRef::Array(items) => {
            items.iter().for_each(|item| options(item, shape));
        }
        value => literal(value, shape),
    }
}

fn is_pipeline(stages: Array<'_>) -> bool {
    let mut stages = stages.iter();
    stages.all(|stage| stage.as_document().is_some_and(is_of_operators))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;

    fn hash(command: &str) -> String {
        let command = parse_document(command).expect("the test's JSON is valid");
        shape_hash(command.as_document(), "d").unwrap_or_default()
    }

    fn of_filters(one: &str, other: &str) -> [String; 2] {
        [one, other].map(|filter| hash(&format!(r#"{{"find": "c", "filter": {filter}}}"#)))
    }

    #[test]
    fn queries_that_differ_in_values_alone_have_one_hash() {
        for (one, other) in [
            (r#"{"a": 1}"#, r#"{"a": {"$eq": 2.5}}"#),
            (r#"{"a": 1, "b": 2}"#, r#"{"$and": [{"a": 3}, {"b": 4}]}"#),
            (r#"{"a": {"$in": [1, 2]}}"#, r#"{"a": {"$in": [3, 4, 5]}}"#),
            (
                r#"{"a": {"$not": {"$gt": 1}}}"#,
                r#"{"a": {"$not": {"$gt": 3}}}"#,
            ),
            (
                r#"{"a": {"$elemMatch": {"b": 1}}}"#,
                r#"{"a": {"$elemMatch": {"b": 2}}}"#,
            ),
            (
                r#"{"$expr": {"$gt": ["$a", 1]}}"#,
                r#"{"$expr": {"$gt": ["$a", 2]}}"#,
            ),
            (r#"{"a": {"$type": ["int"]}}"#, r#"{"a": {"$type": "int"}}"#),
            (
                r#"{"a": {"$regex": "x", "$options": "i"}}"#,
                r#"{"a": {"$regex": "y"}}"#,
            ),
            (
                r#"{"$or": [{"a": 1}, {"b": 1}]}"#,
                r#"{"$or": [{"a": 2}, {"b": 2}]}"#,
            ),
        ] {
            let [left, right] = of_filters(one, other);
            assert_eq!(left, right, "{one} {other}");
            assert_eq!(left.len(), 64);
        }
    }

    #[test]
    fn queries_of_other_shapes_have_other_hashes() {
        for (one, other) in [
            (r#"{"a": 1}"#, r#"{"a": "1"}"#),
            (r#"{"a": 1}"#, r#"{"b": 1}"#),
            (r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#),
            (r#"{"a": {"$gt": 1}}"#, r#"{"a": {"$lt": 1}}"#),
            (
                r#"{"a": {"$type": "int"}}"#,
                r#"{"a": {"$type": "string"}}"#,
            ),
            (
                r#"{"$expr": {"$gt": ["$a", "$b"]}}"#,
                r#"{"$expr": {"$lt": ["$a", "$b"]}}"#,
            ),
            (
                r#"{"$or": [{"a": 1}, {"b": 1}]}"#,
                r#"{"$or": [{"a": 2, "b": 2}]}"#,
            ),
            (r#"{"a": {"$in": [1, 2]}}"#, r#"{"a": {"$in": [1, "2"]}}"#),
            (
                r#"{"a": {"$all": [1, 2]}}"#,
                r#"{"a": {"$all": [1, 2, 3]}}"#,
            ),
            (
                r#"{"a": {"$exists": true}}"#,
                r#"{"a": {"$exists": false}}"#,
            ),
            (
                r#"{"$jsonSchema": {"required": ["a"]}}"#,
                r#"{"$jsonSchema": {"required": ["b"]}}"#,
            ),
        ] {
            let [left, right] = of_filters(one, other);
            assert_ne!(left, right, "{one} {other}");
        }
    }

    #[test]
    fn all_stages_and_options_count() {
        let commands = [
            r#"{"find": "c"}"#,
            r#"{"find": "d"}"#,
            r#"{"find": "c", "limit": 3}"#,
            r#"{"find": "c", "sort": {"a": 1}}"#,
            r#"{"find": "c", "sort": {"a": -1}}"#,
            r#"{"find": "c", "projection": {"a": 1}}"#,
            r#"{"find": "c", "projection": {"a": 0}}"#,
            r#"{"find": "c", "collation": {"locale": "en"}}"#,
            r#"{"aggregate": "c", "pipeline": []}"#,
            r#"{"aggregate": "c", "pipeline": [{"$limit": 5}]}"#,
            r#"{"aggregate": "c", "pipeline": [{"$unwind": "$a"}]}"#,
            r#"{"aggregate": "c", "pipeline": [{"$lookup": {"from": "d", "as": "x", "pipeline": []}}]}"#,
            r#"{"aggregate": "c", "pipeline": [{"$lookup": {"from": "e", "as": "x", "pipeline": []}}]}"#,
            r#"{"aggregate": "c", "pipeline": [{"$lookup": {"from": "e", "as": "x", "pipeline": [{"$match": {"a": 1}}]}}]}"#,
            r#"{"distinct": "c", "key": "a"}"#,
            r#"{"distinct": "c", "key": "b"}"#,
        ];
        let mut hashes = commands.map(hash);
        hashes.sort();
        assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]));
        let same = [
            r#"{"find": "c", "limit": 9, "filter": {"a": 1}}"#,
            r#"{"find": "c", "filter": {"a": 2}, "limit": 3, "skip": 0, "batchSize": 7}"#,
        ];
        let [one, other] = same.map(hash);
        assert_eq!(one, other);
        let of_constants = [
            r#"{"aggregate": "c", "pipeline": [{"$set": {"x": "a"}}, {"$facet": {"n": [{"$limit": 1}]}}]}"#,
            r#"{"aggregate": "c", "pipeline": [{"$set": {"x": "b"}}, {"$facet": {"n": [{"$limit": 2}]}}]}"#,
        ];
        let [one, other] = of_constants.map(hash);
        assert_eq!(one, other);
        assert_eq!(hash(r#"{"count": "c"}"#), "");
    }
}
