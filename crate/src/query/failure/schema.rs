//! Why a document fails `$jsonSchema`: one entry for each keyword that a value does not follow.
//!
//! Follows the manual's "$jsonSchema" page. Invariant: keywords are told of in the order in which the server tests
//! them, not in that of the schema.

use super::report::Reporter;
use crate::algorithms::sorting;
use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::query::compile::Compiler;
use crate::query::evaluate::MatchContext;
use crate::query::schema::Schema;
use crate::query::schema::equality::equal;

/// A keyword over a plain value, and why a value fails it.
const SCALARS: &[(&str, &str)] = &[
    ("pattern", "regular expression did not match"),
    ("maxLength", "specified string length was not satisfied"),
    ("minLength", "specified string length was not satisfied"),
    (
        "multipleOf",
        "considered value is not a multiple of the specified value",
    ),
    ("maximum", "comparison failed"),
    ("minimum", "comparison failed"),
];

/// Appends a schema's own title and description.
fn append_annotations(schema: ValueRef<'_>, builder: &mut DocumentBuilder) {
    let Some(schema) = schema.as_document() else {
        return;
    };
    for name in ["title", "description"] {
        let text = schema.get(name);
        if !text.is_missing() {
            builder.append(name, text);
        }
    }
}

fn append_list(builder: &mut DocumentBuilder, name: &str, entries: &[DocumentBuf]) {
    builder.begin_array(name);
    for (position, entry) in entries.iter().enumerate() {
        builder.push_item(position, entry);
    }
    builder.end();
}

/// Tells the faults that a keyword found, if there are any.
fn tell_failed(keyword: &str, list: &str, failed: &[DocumentBuf], told: &mut Vec<DocumentBuf>) {
    if failed.is_empty() {
        return;
    }
    let mut builder = named(keyword);
    append_list(&mut builder, list, failed);
    told.push(builder.finish());
}

fn append_names(builder: &mut DocumentBuilder, name: &str, names: &[&str]) {
    builder.begin_array(name);
    for (position, name) in names.iter().enumerate() {
        builder.push_item(position, *name);
    }
    builder.end();
}

/// The strings of an array.
fn texts(value: ValueRef<'_>) -> Vec<&str> {
    let array = value.as_array().into_iter();
    array
        .flat_map(Array::iter)
        .filter_map(ValueRef::as_str)
        .collect()
}

fn keyword(name: &str, schema: Document<'_>) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    let value = schema.get(name);
    if value.is_missing() {
        return builder.finish();
    }
    builder.append(name, value);
    let exclusive = match name {
        "maximum" => "exclusiveMaximum",
        "minimum" => "exclusiveMinimum",
        _ => return builder.finish(),
    };
    if !schema.get(exclusive).is_missing() {
        builder.append(exclusive, schema.get(exclusive));
    }
    builder.finish()
}

fn named(operator: &str) -> DocumentBuilder {
    let mut builder = DocumentBuilder::new();
    builder.append("operatorName", operator);
    builder
}

impl Reporter<'_> {
    /// Tells of a `$jsonSchema` over the whole document.
    pub(super) fn json_schema(
        &self,
        schema: Document<'_>,
        document: Document<'_>,
        inverted: bool,
    ) -> DocumentBuf {
        let value = ValueRef::Document(document);
        if inverted {
            let mut builder = named("$jsonSchema");
            builder.append("reason", "schema matched");
            return builder.finish();
        }
        if self.excludes_documents(schema, document) {
            return self.never(schema);
        }
        let mut builder = named("$jsonSchema");
        append_annotations(ValueRef::Document(schema), &mut builder);
        append_list(
            &mut builder,
            "schemaRulesNotSatisfied",
            &self.rules(schema, value, true),
        );
        builder.finish()
    }

    /// Whether a schema of the whole document allows only values of other types.
    fn excludes_documents(&self, schema: Document<'_>, document: Document<'_>) -> bool {
        ["bsonType", "type"]
            .iter()
            .any(|name| !self.follows(&keyword(name, schema), ValueRef::Document(document)))
    }

    fn never(&self, schema: Document<'_>) -> DocumentBuf {
        let mut source = DocumentBuilder::new();
        source.append("$jsonSchema", schema);
        let source = source.finish();
        let mut builder = self.begin("$jsonSchema", source.as_document());
        builder.append("reason", "expression always evaluates to false");
        builder.finish()
    }

    /// Whether a value follows a schema; one of an absent keyword is followed.
    fn follows(&self, schema: &DocumentBuf, value: ValueRef<'_>) -> bool {
        self.follows_schema(ValueRef::Document(schema.as_document()), value)
    }

    fn follows_schema(&self, schema: ValueRef<'_>, value: ValueRef<'_>) -> bool {
        let Some(schema) = schema.as_document() else {
            return true;
        };
        let compiler = Compiler::new(self.context);
        let context = MatchContext::new(self.context.env, None);
        Schema::parse(&compiler, schema).map_or(true, |schema| schema.holds(value, &context))
    }

    /// Whether a field's name matches a pattern.
    fn names_match(&self, pattern: &str, name: &str) -> bool {
        let mut schema = DocumentBuilder::new();
        schema.append("pattern", pattern);
        self.follows(&schema.finish(), ValueRef::from(name))
    }

    /// Everything a value does not follow of a schema.
    fn rules(&self, schema: Document<'_>, value: ValueRef<'_>, is_root: bool) -> Vec<DocumentBuf> {
        if let (true, ValueRef::Document(document)) = (is_root, value)
            && self.excludes_documents(schema, document)
        {
            return vec![self.never(schema)];
        }
        let mut told = Vec::new();
        for (name, reason) in SCALARS {
            self.plain(schema, name, reason, value, &mut told);
        }
        if let ValueRef::Array(array) = value {
            self.array_rules(schema, array, &mut told);
        }
        if let ValueRef::Document(document) = value {
            self.object_rules(schema, document, is_root, &mut told);
        }
        self.combinations(schema, value, is_root, &mut told);
        self.plain(
            schema,
            "enum",
            "value was not found in enum",
            value,
            &mut told,
        );
        if !is_root {
            for name in ["bsonType", "type"] {
                let before = told.len();
                self.plain(schema, name, "type did not match", value, &mut told);
                if let Some(last) = told.get_mut(before) {
                    let mut builder = DocumentBuilder::new();
                    builder.append_all(last.as_document());
                    builder.append("consideredType", value.type_name());
                    *last = builder.finish();
                }
            }
        }
        told
    }

    /// Tells of a keyword that looks at the value alone.
    fn plain(
        &self,
        schema: Document<'_>,
        name: &str,
        reason: &str,
        value: ValueRef<'_>,
        told: &mut Vec<DocumentBuf>,
    ) {
        if schema.get(name).is_missing() {
            return;
        }
        let source = keyword(name, schema);
        if self.follows(&source, value) {
            return;
        }
        let mut builder = self.begin(name, source.as_document());
        builder.append("reason", reason);
        if !self.truncate {
            builder.append("consideredValue", value);
        }
        told.push(builder.finish());
    }

    fn array_rules(&self, schema: Document<'_>, array: Array<'_>, told: &mut Vec<DocumentBuf>) {
        let value = ValueRef::Array(array);
        for name in ["minItems", "maxItems", "uniqueItems"] {
            let source = keyword(name, schema);
            if schema.get(name).is_missing() || self.follows(&source, value) {
                continue;
            }
            let mut builder = self.begin(name, source.as_document());
            if name == "uniqueItems" {
                let repeated = array
                    .iter()
                    .enumerate()
                    .find(|(position, item)| {
                        array.iter().take(*position).any(|one| equal(one, *item))
                    })
                    .map_or(ValueRef::Null, |(_, item)| item);
                builder
                    .append("reason", "found a duplicate item")
                    .append("consideredValue", value)
                    .append("duplicatedValue", repeated);
            } else {
                builder
                    .append("reason", "array did not match specified length")
                    .append("consideredValue", value)
                    .append("numberOfItems", array.len() as i32);
            }
            told.push(builder.finish());
        }
        let items = schema.get("items");
        match items {
            ValueRef::Document(_) => {
                let reason = "At least one item did not match the sub-schema";
                self.each_item("items", items, array, 0, reason, told);
            }
            ValueRef::Array(schemas) => {
                let mut failed = Vec::new();
                for (index, (schema, item)) in schemas.iter().zip(array.iter()).enumerate() {
                    if self.follows_schema(schema, item) {
                        continue;
                    }
                    let mut builder = DocumentBuilder::new();
                    builder.append("itemIndex", index as i64);
                    self.append_details(schema, item, false, &mut builder);
                    failed.push(builder.finish());
                }
                tell_failed("items", "details", &failed, told);
                self.additional_items(schema, array, schemas.len(), told);
            }
            _ => {}
        }
    }

    fn additional_items(
        &self,
        schema: Document<'_>,
        array: Array<'_>,
        named: usize,
        told: &mut Vec<DocumentBuf>,
    ) {
        let additional = schema.get("additionalItems");
        if additional.as_bool() == Some(false) && array.len() > named {
            let source = keyword("additionalItems", schema);
            let mut builder = self.begin("additionalItems", source.as_document());
            builder.append("reason", "found additional items");
            builder.begin_array("additionalItems");
            for (position, item) in array.iter().skip(named).enumerate() {
                builder.push_item(position, item);
            }
            builder.end();
            told.push(builder.finish());
        }
        let reason = "At least one additional item did not match the sub-schema";
        self.each_item("additionalItems", additional, array, named, reason, told);
    }

    /// Tells of the first item, from a position on, that does not follow a schema.
    fn each_item(
        &self,
        operator: &str,
        schema: ValueRef<'_>,
        array: Array<'_>,
        from: usize,
        reason: &str,
        told: &mut Vec<DocumentBuf>,
    ) {
        let failing = array
            .iter()
            .enumerate()
            .skip(from)
            .find(|(_, item)| !self.follows_schema(schema, *item));
        if let Some((index, item)) = failing {
            let mut builder = named(operator);
            append_annotations(schema, &mut builder);
            builder
                .append("reason", reason)
                .append("itemIndex", index as i32);
            self.append_details(schema, item, false, &mut builder);
            told.push(builder.finish());
        }
    }

    /// Appends everything a value does not follow of a schema.
    fn append_details(
        &self,
        schema: ValueRef<'_>,
        value: ValueRef<'_>,
        is_root: bool,
        builder: &mut DocumentBuilder,
    ) {
        let told = match schema.as_document() {
            Some(schema) => self.rules(schema, value, is_root),
            None => Vec::new(),
        };
        append_list(builder, "details", &told);
    }

    fn object_rules(
        &self,
        schema: Document<'_>,
        document: Document<'_>,
        is_root: bool,
        told: &mut Vec<DocumentBuf>,
    ) {
        let value = ValueRef::Document(document);
        let mut failed = Vec::new();
        for (name, rules) in fields(schema.get("properties")) {
            let field = document.get(name);
            if field.is_missing() || self.follows_schema(rules, field) {
                continue;
            }
            let mut builder = DocumentBuilder::new();
            builder.append("propertyName", name);
            append_annotations(rules, &mut builder);
            self.append_details(rules, field, false, &mut builder);
            failed.push(builder.finish());
        }
        tell_failed("properties", "propertiesNotSatisfied", &failed, told);
        self.additional_properties(schema, document, told);
        self.pattern_properties(schema, document, told);
        let mut missing: Vec<&str> = texts(schema.get("required"));
        missing.retain(|name| document.get(name).is_missing());
        sorting::sort(&mut missing);
        if !missing.is_empty() {
            let source = keyword("required", schema);
            let mut builder = self.begin("required", source.as_document());
            append_names(&mut builder, "missingProperties", &missing);
            told.push(builder.finish());
        }
        for name in ["minProperties", "maxProperties"] {
            let source = keyword(name, schema);
            if !schema.get(name).is_missing() && !self.follows(&source, value) {
                let mut builder = self.begin(name, source.as_document());
                builder
                    .append("reason", "specified number of properties was not satisfied")
                    .append("numberOfProperties", document.len() as i32);
                told.push(builder.finish());
            }
        }
        self.dependencies(schema, document, is_root, told);
    }

    fn additional_properties(
        &self,
        schema: Document<'_>,
        document: Document<'_>,
        told: &mut Vec<DocumentBuf>,
    ) {
        let rules = schema.get("additionalProperties");
        if rules.is_missing() || rules.as_bool() == Some(true) {
            return;
        }
        let is_named = |name: &str| {
            fields(schema.get("properties")).any(|(one, _)| one == name)
                || fields(schema.get("patternProperties"))
                    .any(|(pattern, _)| self.names_match(pattern, name))
        };
        let additional: Vec<&str> = document
            .iter()
            .map(|element| element.name)
            .filter(|name| !is_named(name))
            .collect();
        if rules.as_bool() == Some(false) && !additional.is_empty() {
            let source = keyword("additionalProperties", schema);
            let mut builder = self.begin("additionalProperties", source.as_document());
            append_names(&mut builder, "additionalProperties", &additional);
            told.push(builder.finish());
        }
        let failing = additional
            .iter()
            .find(|name| !self.follows_schema(rules, document.get(name)));
        if let Some(name) = failing {
            let mut builder = named("additionalProperties");
            append_annotations(rules, &mut builder);
            builder
                .append(
                    "reason",
                    "at least one additional property did not match the subschema",
                )
                .append("failingProperty", *name);
            self.append_details(rules, document.get(name), false, &mut builder);
            told.push(builder.finish());
        }
    }

    fn pattern_properties(
        &self,
        schema: Document<'_>,
        document: Document<'_>,
        told: &mut Vec<DocumentBuf>,
    ) {
        let mut failed = Vec::new();
        for (pattern, rules) in fields(schema.get("patternProperties")) {
            let failing = document.iter().find(|element| {
                self.names_match(pattern, element.name)
                    && !self.follows_schema(rules, element.value)
            });
            if let Some(element) = failing {
                let mut builder = DocumentBuilder::new();
                builder.append("propertyName", element.name);
                append_annotations(rules, &mut builder);
                builder.append("regexMatched", pattern);
                self.append_details(rules, element.value, false, &mut builder);
                failed.push(builder.finish());
            }
        }
        tell_failed("patternProperties", "details", &failed, told);
    }

    fn dependencies(
        &self,
        schema: Document<'_>,
        document: Document<'_>,
        is_root: bool,
        told: &mut Vec<DocumentBuf>,
    ) {
        let value = ValueRef::Document(document);
        let mut failed = Vec::new();
        for (name, rules) in fields(schema.get("dependencies")) {
            if document.get(name).is_missing() {
                continue;
            }
            let mut builder = DocumentBuilder::new();
            builder.append("conditionalProperty", name);
            if let ValueRef::Array(_) = rules {
                let mut missing = texts(rules);
                missing.retain(|name| document.get(name).is_missing());
                if missing.is_empty() {
                    continue;
                }
                append_names(&mut builder, "missingProperties", &missing);
            } else if self.follows_schema(rules, value) {
                continue;
            } else {
                self.append_details(rules, value, is_root, &mut builder);
            }
            failed.push(builder.finish());
        }
        tell_failed("dependencies", "failingDependencies", &failed, told);
    }

    fn combinations(
        &self,
        schema: Document<'_>,
        value: ValueRef<'_>,
        is_root: bool,
        told: &mut Vec<DocumentBuf>,
    ) {
        for name in ["allOf", "anyOf", "oneOf"] {
            let Some(schemas) = schema.get(name).as_array() else {
                continue;
            };
            if self.follows(&keyword(name, schema), value) {
                continue;
            }
            let mut builder = named(name);
            let matching: Vec<usize> = schemas
                .iter()
                .enumerate()
                .filter(|(_, schema)| self.follows_schema(*schema, value))
                .map(|(index, _)| index)
                .collect();
            if name == "oneOf" && !matching.is_empty() {
                builder.append("reason", "more than one subschema matched");
                builder.begin_array("matchingSchemaIndexes");
                for (position, index) in matching.iter().enumerate() {
                    builder.push_item(position, *index as i32);
                }
                builder.end();
                told.push(builder.finish());
                continue;
            }
            let mut failed = Vec::new();
            for (index, schema) in schemas.iter().enumerate() {
                if matching.contains(&index) {
                    continue;
                }
                let mut item = DocumentBuilder::new();
                item.append("index", index as i32);
                append_annotations(schema, &mut item);
                self.append_details(schema, value, is_root, &mut item);
                failed.push(item.finish());
            }
            append_list(&mut builder, "schemasNotSatisfied", &failed);
            told.push(builder.finish());
        }
        let negated = schema.get("not");
        if !negated.is_missing() && self.follows_schema(negated, value) {
            let mut builder = named("not");
            builder.append("reason", "child expression matched");
            told.push(builder.finish());
        }
    }
}

/// The fields of a keyword's object.
fn fields(value: ValueRef<'_>) -> impl Iterator<Item = (&str, ValueRef<'_>)> {
    value
        .as_document()
        .into_iter()
        .flat_map(Document::iter)
        .map(|element| (element.name, element.value))
}
