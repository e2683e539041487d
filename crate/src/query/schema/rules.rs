//! The rules of a schema, keyword by keyword.
//!
//! Follows the manual's "$jsonSchema" page. Invariant: a keyword accepts all values of other types than its own
//! (`minimum` all strings), and absent fields, `required` and `dependencies` excepted.

use crate::bson::Value;
use crate::bson::number::Number;
use crate::query::predicate::bson_type::TypeSet;
use crate::query::predicate::regex::RegexTest;

/// A limit of a number.
#[derive(Clone, Copy)]
pub struct Limit {
    pub value: Number,
    /// Whether the limit itself is outside.
    pub exclusive: bool,
}

/// The rule for fields or items that no other keyword names.
#[derive(Clone, Default)]
pub enum Additional {
    #[default]
    Allowed,
    Refused,
    Schema(Box<Schema>),
}

/// `items`.
#[derive(Clone)]
pub enum Items {
    /// One schema for all.
    All(Box<Schema>),
    /// A schema for each position.
    Each(Vec<Schema>),
}

/// The rule that the presence of a field brings.
#[derive(Clone)]
pub enum Dependency {
    /// The document must have these fields.
    Fields(Vec<Box<str>>),
    /// The whole document must match this schema.
    Schema(Box<Schema>),
}

/// A compiled schema; an absent keyword asks for nothing.
#[derive(Clone, Default)]
pub struct Schema {
    pub types: Option<TypeSet>,
    pub any_value: Option<Vec<Value<'static>>>,
    pub all_of: Vec<Schema>,
    pub any_of: Vec<Schema>,
    pub one_of: Vec<Schema>,
    pub not: Option<Box<Schema>>,
    pub minimum: Option<Limit>,
    pub maximum: Option<Limit>,
    pub multiple_of: Option<Number>,
    /// In characters.
    pub min_length: Option<i64>,
    pub max_length: Option<i64>,
    pub pattern: Option<RegexTest>,
    pub required: Vec<Box<str>>,
    pub properties: Vec<(Box<str>, Schema)>,
    pub pattern_properties: Vec<(RegexTest, Schema)>,
    pub additional_properties: Additional,
    pub min_properties: Option<i64>,
    pub max_properties: Option<i64>,
    pub dependencies: Vec<(Box<str>, Dependency)>,
    pub items: Option<Items>,
    pub additional_items: Additional,
    pub min_items: Option<i64>,
    pub max_items: Option<i64>,
    pub unique_items: bool,
}
