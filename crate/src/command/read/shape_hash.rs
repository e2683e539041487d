//! `queryShapeHash`: one hash for all queries that differ in their values alone.
//!
//! Manual: reference/explain-results, core/query-shape. It is made of a read as it was asked, before anything is
//! optimized: names, operators, sort, projection, options and all stages as they stand, of each value its type. The
//! shape is a document, which `$querySettings` shows: `{cmdNs: {…}, command: "find", filter: {a: {$eq: "?number"}}}`.
//! Its digits are not those of a server, whose shapes differ in details. Invariants: 64 hexadecimal digits; the same
//! for the same shape in every engine.

use crate::algorithms::md5::Md5;
use crate::bson::{Array, BsonType, Document, DocumentBuf, DocumentBuilder, Element, ValueRef};
use crate::command::table;

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

/// The fields that shapes have, whatever their order is in the command. A hint is none of them: settings go before it.
const FIELDS: [(&str, Part); 18] = [
    ("key", Part::Whole),
    ("filter", Part::Filter),
    ("query", Part::Filter),
    ("pipeline", Part::Pipeline),
    ("projection", Part::Projection),
    ("sort", Part::Whole),
    ("collation", Part::Whole),
    ("let", Part::Expression),
    ("min", Part::Expression),
    ("max", Part::Expression),
    ("skip", Part::Expression),
    ("limit", Part::Expression),
    ("singleBatch", Part::Whole),
    ("allowDiskUse", Part::Whole),
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
    let shape = shape_of(command, database)?;
    let digest = |salt: u8| {
        let mut digest = Md5::default();
        digest.update(&[salt]);
        digest.update(shape.as_bytes());
        digest.text().to_ascii_uppercase()
    };
    Some(digest(0) + &digest(1))
}

/// A command's shape; none of a command that is no query.
pub fn shape_of(command: Document<'_>, database: &str) -> Option<DocumentBuf> {
    let first = command.iter().next()?;
    let row = table::find(first.name).filter(|row| row.check_shape.is_some())?;
    let mut shape = DocumentBuilder::new();
    shape.begin_document("cmdNs").append("db", database);
    whole("coll", first.value, &mut shape);
    shape.end().append("command", row.name);
    for (name, part) in FIELDS {
        let value = command.get(name);
        let is_default = match value {
            ValueRef::Document(filter) if matches!(part, Part::Filter) => {
                conditions(filter).is_empty()
            }
            ValueRef::Document(document) => document.is_empty(),
            ValueRef::Array(_) | ValueRef::String(_) => false,
            other => !other.is_truthy(),
        };
        if is_default {
            continue;
        }
        match (part, value) {
            (Part::Filter, ValueRef::Document(filter)) => predicates(name, filter, &mut shape),
            (Part::Pipeline, ValueRef::Array(stages)) => pipeline(name, stages, &mut shape),
            (Part::Projection, ValueRef::Document(fields)) => projection(name, fields, &mut shape),
            (Part::Expression, value) => expression(name, value, &mut shape),
            (_, value) => whole(name, value, &mut shape),
        }
    }
    Some(shape.finish())
}

fn whole(name: &str, value: ValueRef<'_>, shape: &mut DocumentBuilder) {
    match value {
        // No number looks like a name.
        ValueRef::Int32(_) | ValueRef::Int64(_) | ValueRef::Double(_)
            if let Some(number) = value.as_exact_i64() =>
        {
            shape.append_integer(name, number);
        }
        ValueRef::Document(document) => fields(name, document, shape, |field, shape| {
            whole(field.name, field.value, shape);
        }),
        value => drop(shape.append(name, value)),
    }
}

/// Writes the fields of a document, each with its name.
fn fields(
    name: &str,
    document: Document<'_>,
    shape: &mut DocumentBuilder,
    write: fn(Element<'_>, &mut DocumentBuilder),
) {
    shape.begin_document(name);
    document.iter().for_each(|field| write(field, shape));
    shape.end();
}

/// Writes the items of an array.
fn items(
    name: &str,
    array: Array<'_>,
    shape: &mut DocumentBuilder,
    write: fn(&str, ValueRef<'_>, &mut DocumentBuilder),
) {
    shape.begin_array(name);
    for (position, item) in array.iter().enumerate() {
        write(&position.to_string(), item, shape);
    }
    shape.end();
}

fn type_of(value: ValueRef<'_>) -> &'static str {
    match value.bson_type() {
        BsonType::Int32 | BsonType::Int64 | BsonType::Double | BsonType::Decimal128 => "number",
        _ => value.type_name(),
    }
}

/// A value: its type, of an array that of its items where they have one.
fn literal(name: &str, value: ValueRef<'_>, shape: &mut DocumentBuilder) {
    let mut text = String::from("?");
    text.push_str(type_of(value));
    if let ValueRef::Array(items) = value {
        let mut types = items.iter().map(type_of);
        let first = types.next().unwrap_or_default();
        text.push('<');
        text.push_str(if types.all(|one| one == first) {
            first
        } else {
            ""
        });
        text.push('>');
    }
    shape.append(name, text.as_str());
}

/// Whether the fields of a condition are operators, and not those of a value.
pub fn is_of_operators(document: Document<'_>) -> bool {
    let first = document.iter().next();
    first.is_some_and(|first| first.name.starts_with('$') && !first.name.starts_with("$ref"))
}

/// A filter: its only condition, or an `$and` of several. Those of an `$and` stand beside the others.
fn predicates(name: &str, filter: Document<'_>, shape: &mut DocumentBuilder) {
    shape.begin_document(name);
    match conditions(filter).as_slice() {
        // Of an empty filter, and of one that has but a comment.
        [] => {}
        [only] => drop(shape.append_all(only.as_document())),
        all => {
            shape.begin_array("$and");
            for (position, one) in all.iter().enumerate() {
                shape.push_item(position, one);
            }
            shape.end();
        }
    }
    shape.end();
}

/// The conditions of a filter, those of its `$and` among them; a comment is none.
fn conditions(filter: Document<'_>) -> Vec<DocumentBuf> {
    let mut found = Vec::new();
    gather(filter, &mut found);
    found
}

fn gather(filter: Document<'_>, found: &mut Vec<DocumentBuf>) {
    for field in filter.iter() {
        if let ("$and", ValueRef::Array(all)) = (field.name, field.value) {
            let all = all.iter().filter_map(ValueRef::as_document);
            all.for_each(|one| gather(one, found));
            continue;
        }
        if field.name == "$comment" {
            continue;
        }
        if let (path, ValueRef::Document(operators)) = (field.name, field.value)
            && !path.starts_with('$')
            && is_of_operators(operators)
        {
            // The options are of the regular expression beside them.
            for operator in operators.iter().filter(|one| one.name != "$options") {
                let mut one = DocumentBuilder::new();
                one.begin_document(path);
                condition(&operator, &mut one);
                one.end();
                found.push(one.finish());
            }
            continue;
        }
        let mut one = DocumentBuilder::new();
        match (field.name, field.value) {
            (name @ ("$or" | "$nor"), ValueRef::Array(any)) => {
                items(name, any, &mut one, |name, one, shape| match one {
                    ValueRef::Document(filter) => predicates(name, filter, shape),
                    other => literal(name, other, shape),
                });
            }
            ("$expr", value) => expression("$expr", value, &mut one),
            ("$jsonSchema", schema) => options("$jsonSchema", schema, &mut one),
            (name, value) if name.starts_with('$') => literal(name, value, &mut one),
            (path, value) => {
                one.begin_document(path);
                match value {
                    ValueRef::Regex { .. } => literal("$regex", "".into(), &mut one),
                    value => literal("$eq", value, &mut one),
                }
                one.end();
            }
        }
        found.push(one.finish());
    }
}

fn condition(operator: &Element<'_>, shape: &mut DocumentBuilder) {
    let name = operator.name;
    match (name, operator.value) {
        ("$not" | "$elemMatch", ValueRef::Document(inner)) => {
            match is_of_operators(inner) && !inner.iter().any(|one| is_logical(one.name)) {
                true => fields(name, inner, shape, |one, shape| {
                    if one.name != "$options" {
                        condition(&one, shape);
                    }
                }),
                false => predicates(name, inner, shape),
            }
        }
        // Aliases are no values; a list of one is as that one.
        ("$type", ValueRef::Array(types)) if types.len() == 1 => whole(name, types.get(0), shape),
        ("$type", value) => whole(name, value, shape),
        ("$regex", _) => literal(name, "".into(), shape),
        ("$exists", value) => drop(shape.append(name, value.is_truthy())),
        // Each item is a condition of its own.
        ("$all", ValueRef::Array(all)) => items(name, all, shape, literal),
        (_, value) => literal(name, value, shape),
    }
}

fn is_logical(name: &str) -> bool {
    matches!(name, "$and" | "$or" | "$nor" | "$expr")
}

fn expression(name: &str, value: ValueRef<'_>, shape: &mut DocumentBuilder) {
    match value {
        ValueRef::String(text) if text.as_bytes().starts_with(b"$") => whole(name, value, shape),
        ValueRef::Document(document) => fields(name, document, shape, |field, shape| {
            match field.name == "$literal" {
                true => literal(field.name, field.value, shape),
                false => expression(field.name, field.value, shape),
            }
        }),
        ValueRef::Array(array) => items(name, array, shape, expression),
        value => literal(name, value, shape),
    }
}

fn projection(name: &str, document: Document<'_>, shape: &mut DocumentBuilder) {
    fields(name, document, shape, |field, shape| match field.value {
        ValueRef::Document(inner) if !is_of_operators(inner) => {
            projection(field.name, inner, shape);
        }
        value @ (ValueRef::Document(_) | ValueRef::Array(_) | ValueRef::String(_)) => {
            expression(field.name, value, shape);
        }
        value => drop(shape.append(field.name, value.is_truthy())),
    });
}

fn pipeline(name: &str, stages: Array<'_>, shape: &mut DocumentBuilder) {
    items(name, stages, shape, |position, stage, shape| {
        let stage = stage.as_document().unwrap_or_default();
        fields(position, stage, shape, |stage, shape| {
            match (stage.name, stage.value) {
                (name @ "$match", ValueRef::Document(filter)) => predicates(name, filter, shape),
                (name @ "$project", ValueRef::Document(fields)) => projection(name, fields, shape),
                (name @ "$sort", value) => whole(name, value, shape),
                (name, value) if COMPUTING.contains(&name) => expression(name, value, shape),
                (name, value) => options(name, value, shape),
            }
        });
    });
}

/// Options of a stage: names, values, and pipelines of its own.
fn options(name: &str, value: ValueRef<'_>, shape: &mut DocumentBuilder) {
    match value {
        ValueRef::String(_) | ValueRef::Boolean(_) => whole(name, value, shape),
        ValueRef::Document(document) => fields(name, document, shape, |field, shape| {
            match (field.name, field.value) {
                (name @ "sortBy", value) => whole(name, value, shape),
                (name, ValueRef::Array(stages)) if is_pipeline(stages) => {
                    pipeline(name, stages, shape)
                }
                (name, value) => options(name, value, shape),
            }
        }),
        ValueRef::Array(array) => items(name, array, shape, options),
        value => literal(name, value, shape),
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
