//! Whether a value follows a schema.
//!
//! Invariant: arrays are never walked implicitly; only `items` and its kin look inside them.

use super::equality::{equal, with_sorted_fields};
use super::rules::{Additional, Dependency, Items, Limit, Schema};
use crate::algorithms::sorting;
use crate::bson::document::RawElement;
use crate::bson::number::Number;
use crate::bson::{Array, Document, Text, ValueRef, compare};
use crate::error::CommandError;
use crate::query::evaluate::MatchContext;
use std::cmp::Ordering;

impl Schema {
    /// Whether a value follows the schema.
    pub fn holds(&self, value: ValueRef<'_>, context: &MatchContext<'_>) -> bool {
        if let Some(types) = &self.types
            && !types.contains(value.bson_type())
        {
            return false;
        }
        if let Some(values) = &self.any_value
            && !values.iter().any(|listed| equal(listed.as_ref(), value))
        {
            return false;
        }
        let of_its_type = match value {
            ValueRef::Document(document) => self.holds_of_document(document, context),
            ValueRef::Array(array) => self.holds_of_array(array, context),
            ValueRef::String(text) => self.holds_of_text(text, context),
            other => other
                .as_number()
                .is_none_or(|number| self.holds_of_number(number)),
        };
        of_its_type && self.holds_in_combination(value, context)
    }

    fn holds_in_combination(&self, value: ValueRef<'_>, context: &MatchContext<'_>) -> bool {
        self.all_of
            .iter()
            .all(|schema| schema.holds(value, context))
            && (self.any_of.is_empty()
                || self
                    .any_of
                    .iter()
                    .any(|schema| schema.holds(value, context)))
            && (self.one_of.is_empty()
                || self
                    .one_of
                    .iter()
                    .filter(|schema| schema.holds(value, context))
                    .count()
                    == 1)
            && !self
                .not
                .as_ref()
                .is_some_and(|schema| schema.holds(value, context))
    }

    fn holds_of_number(&self, number: Number) -> bool {
        let within = |limit: &Option<Limit>, outside: Ordering| {
            limit.is_none_or(|limit| match number.compare(limit.value) {
                Ordering::Equal => !limit.exclusive,
                ordering => ordering != outside && !number.is_nan(),
            })
        };
        within(&self.minimum, Ordering::Less)
            && within(&self.maximum, Ordering::Greater)
            && self.multiple_of.is_none_or(|divisor| {
                match (number.to_exact_i64(), divisor.to_exact_i64()) {
                    (Some(number), Some(divisor)) => number.wrapping_rem(divisor) == 0,
                    // Doubles count as the decimals they are written as: 0.3 is a multiple of 0.1.
                    _ => (number.to_decimal() % divisor.to_decimal()).is_zero(),
                }
            })
    }

    fn holds_of_text(&self, text: Text<'_>, context: &MatchContext<'_>) -> bool {
        if self.min_length.is_some() || self.max_length.is_some() {
            let length = text.count() as i64;
            if !within(length, self.min_length, self.max_length) {
                return false;
            }
        }
        self.pattern
            .as_ref()
            .is_none_or(|pattern| pattern.is_match(text, context))
    }

    fn holds_of_array(&self, array: Array<'_>, context: &MatchContext<'_>) -> bool {
        let length = array.len() as i64;
        if !within(length, self.min_items, self.max_items) {
            return false;
        }
        if self.unique_items && context.stop(has_repeats(array, context)) {
            return false;
        }
        match &self.items {
            None => true,
            Some(Items::All(schema)) => array.iter().all(|item| schema.holds(item, context)),
            Some(Items::Each(schemas)) => {
                let named = schemas
                    .iter()
                    .zip(array.iter())
                    .all(|(schema, item)| schema.holds(item, context));
                named
                    && array
                        .iter()
                        .skip(schemas.len())
                        .all(|item| allows(&self.additional_items, item, context))
            }
        }
    }

    fn holds_of_document(&self, document: Document<'_>, context: &MatchContext<'_>) -> bool {
        let has = |name: &str| document.find_raw(name.as_bytes()).is_some();
        if !self.required.iter().all(|name| has(name)) {
            return false;
        }
        if self.min_properties.is_some() || self.max_properties.is_some() {
            let fields = document.len() as i64;
            if !within(fields, self.min_properties, self.max_properties) {
                return false;
            }
        }
        let depends = self.dependencies.iter().all(|(name, dependency)| {
            !has(name)
                || match dependency {
                    Dependency::Fields(names) => names.iter().all(|name| has(name)),
                    Dependency::Schema(schema) => {
                        schema.holds(ValueRef::Document(document), context)
                    }
                }
        });
        let looks_at_fields = !self.properties.is_empty()
            || !self.pattern_properties.is_empty()
            || !matches!(self.additional_properties, Additional::Allowed);
        depends
            && (!looks_at_fields
                || document
                    .raw_elements()
                    .all(|element| self.holds_of_field(&element, context)))
    }

    fn holds_of_field(&self, element: &RawElement<'_>, context: &MatchContext<'_>) -> bool {
        let value = element.value();
        let name = std::str::from_utf8(element.name).unwrap_or_default();
        let mut named = false;
        if let Some((_, schema)) = self.properties.iter().find(|(one, _)| **one == *name) {
            named = true;
            if !schema.holds(value, context) {
                return false;
            }
        }
        for (pattern, schema) in &self.pattern_properties {
            if pattern.is_match(name.into(), context) {
                named = true;
                if !schema.holds(value, context) {
                    return false;
                }
            }
        }
        named || allows(&self.additional_properties, value, context)
    }
}

/// Whether an array has an item twice: sorted, the two lie side by side. The order of fields does not count.
fn has_repeats(array: Array<'_>, context: &MatchContext<'_>) -> Result<bool, CommandError> {
    let mut items = Vec::new();
    for item in array.iter() {
        context.env.checkpoint()?;
        items.push(with_sorted_fields(item));
    }
    let count = items.len();
    sorting::sort_distinct(context.env, &mut items, &mut |a, b| {
        compare(a.as_ref(), b.as_ref())
    })?;
    Ok(items.len() < count)
}

fn within(count: i64, least: Option<i64>, most: Option<i64>) -> bool {
    least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
}

fn allows(additional: &Additional, value: ValueRef<'_>, context: &MatchContext<'_>) -> bool {
    match additional {
        Additional::Allowed => true,
        Additional::Refused => false,
        Additional::Schema(schema) => schema.holds(value, context),
    }
}

#[cfg(test)]
mod tests {
    use crate::query::testing::matches;

    fn holds(schema: &str, subject: &str) -> bool {
        matches(&format!("{{$jsonSchema: {schema}}}"), subject)
    }

    #[test]
    fn types_and_required_fields() {
        let schema = "{bsonType: \"object\", required: [\"name\"], properties: {name: {bsonType: \"string\"}, \
                      year: {bsonType: \"int\", minimum: 2017, maximum: 3017}, \
                      major: {enum: [\"Math\", \"English\", null]}}}";
        assert!(holds(schema, "{name: \"A\", year: 2019, major: \"Math\"}"));
        assert!(!holds(schema, "{year: 2019}"));
        assert!(!holds(schema, "{name: 5}"));
        assert!(!holds(schema, "{name: \"A\", year: 1900}"));
        assert!(!holds(schema, "{name: \"A\", year: 2019.0}"));
        assert!(!holds(schema, "{name: \"A\", major: \"Art\"}"));
        assert!(holds("{properties: {a: {type: \"number\"}}}", "{a: 1.5}"));
        assert!(!holds("{properties: {a: {type: \"number\"}}}", "{a: [1]}"));
    }

    #[test]
    fn numbers_and_strings() {
        let of = |rule: &str, value: &str| {
            holds(
                &format!("{{properties: {{a: {rule}}}}}"),
                &format!("{{a: {value}}}"),
            )
        };
        assert!(!of("{minimum: 5, exclusiveMinimum: true}", "5"));
        assert!(of("{minimum: 5}", "5.0"));
        assert!(of("{minimum: 5}", "\"x\""));
        assert!(of("{multipleOf: 3}", "9"));
        assert!(!of("{multipleOf: 3}", "10"));
        assert!(of("{multipleOf: 0.5}", "2.5"));
        assert!(!of("{minLength: 2}", "\"x\""));
        assert!(of("{maxLength: 2}", "\"xy\""));
        assert!(of("{pattern: \"^x\"}", "\"xy\""));
        assert!(!of("{pattern: \"^x\"}", "\"yx\""));
    }

    #[test]
    fn arrays_and_documents() {
        let of = |rule: &str, value: &str| {
            holds(
                &format!("{{properties: {{a: {rule}}}}}"),
                &format!("{{a: {value}}}"),
            )
        };
        assert!(of("{items: {type: \"string\"}}", "[\"x\"]"));
        assert!(!of("{items: {type: \"string\"}}", "[1]"));
        assert!(of(
            "{items: [{type: \"string\"}], additionalItems: false}",
            "[\"x\"]"
        ));
        assert!(!of(
            "{items: [{type: \"string\"}], additionalItems: false}",
            "[\"x\", 1]"
        ));
        assert!(!of(
            "{uniqueItems: true}",
            "[1, {b: 1, c: 2}, {c: 2, b: 1}]"
        ));
        assert!(!of("{uniqueItems: true}", "[1, \"x\", {b: 1}, 1.0]"));
        assert!(of("{uniqueItems: true}", "[1, \"x\", {b: 1}, [1], \"1\"]"));
        assert!(!of("{minItems: 1}", "[]"));
        assert!(!of("{maxProperties: 1}", "{b: 1, c: 2}"));
        assert!(!holds(
            "{additionalProperties: false, properties: {a: {}}}",
            "{b: 1}"
        ));
        assert!(holds(
            "{additionalProperties: false, patternProperties: {\"^b\": {type: \"number\"}}}",
            "{b1: 1, b2: 2}"
        ));
        assert!(!holds("{dependencies: {a: [\"b\"]}}", "{a: 1}"));
        assert!(holds("{dependencies: {a: [\"b\"]}}", "{c: 1}"));
        assert!(!holds("{dependencies: {a: {required: [\"b\"]}}}", "{a: 1}"));
    }

    #[test]
    fn combinations() {
        let number = "{properties: {a: {type: \"number\"}}}";
        let small = "{properties: {a: {maximum: 5}}}";
        assert!(holds(&format!("{{allOf: [{number}, {small}]}}"), "{a: 3}"));
        assert!(!holds(
            &format!("{{allOf: [{number}, {small}]}}"),
            "{a: \"x\"}"
        ));
        assert!(holds(
            &format!("{{anyOf: [{number}, {small}]}}"),
            "{a: \"x\"}"
        ));
        assert!(!holds(&format!("{{oneOf: [{number}, {small}]}}"), "{a: 3}"));
        assert!(!holds(&format!("{{not: {number}}}"), "{a: 3}"));
        assert!(matches(
            "{$nor: [{$jsonSchema: {required: [\"a\"]}}]}",
            "{b: 1}"
        ));
    }
}
