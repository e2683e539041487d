//! The table of query operators.
//!
//! Invariant: sorted by name; a name that is here is supported as COMPAT.md says.

use super::{
    all, always, bits, bson_type, comment, comparison, elem_match, exists, expr, geo_intersects,
    geo_within, json_schema, logical, membership, modulo, near, not, regex, sample_rate, size,
    text, where_function,
};
use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand};
use crate::query::node::MatchNode;

/// How an operator is compiled; `None` for one that says nothing by itself (`$comment`, `$options`).
#[derive(Clone, Copy)]
pub enum Parse {
    /// An operator over a field: `{a: {$gt: 5}}`.
    Field(fn(&Compiler<'_>, &Operand<'_>) -> Result<Option<MatchNode>, CommandError>),
    /// An operator that stands where a field's name would: `{$or: […]}`.
    TopLevel(fn(&Compiler<'_>, &str, ValueRef<'_>) -> Result<Option<MatchNode>, CommandError>),
}

/// Every query operator, sorted by name.
pub const TABLE: &[(&str, Parse)] = &[
    ("$all", Parse::Field(all::parse)),
    ("$alwaysFalse", Parse::TopLevel(always::parse)),
    ("$alwaysTrue", Parse::TopLevel(always::parse)),
    ("$and", Parse::TopLevel(logical::parse)),
    ("$bitsAllClear", Parse::Field(bits::parse)),
    ("$bitsAllSet", Parse::Field(bits::parse)),
    ("$bitsAnyClear", Parse::Field(bits::parse)),
    ("$bitsAnySet", Parse::Field(bits::parse)),
    ("$comment", Parse::TopLevel(comment::parse)),
    ("$elemMatch", Parse::Field(elem_match::parse)),
    ("$eq", Parse::Field(comparison::parse)),
    ("$exists", Parse::Field(exists::parse)),
    ("$expr", Parse::TopLevel(expr::parse)),
    ("$geoIntersects", Parse::Field(geo_intersects::parse)),
    ("$geoNear", Parse::Field(near::parse)),
    ("$geoWithin", Parse::Field(geo_within::parse)),
    ("$gt", Parse::Field(comparison::parse)),
    ("$gte", Parse::Field(comparison::parse)),
    ("$in", Parse::Field(membership::parse)),
    ("$jsonSchema", Parse::TopLevel(json_schema::parse)),
    ("$lt", Parse::Field(comparison::parse)),
    ("$lte", Parse::Field(comparison::parse)),
    ("$mod", Parse::Field(modulo::parse)),
    ("$ne", Parse::Field(comparison::parse)),
    ("$near", Parse::Field(near::parse)),
    ("$nearSphere", Parse::Field(near::parse)),
    ("$nin", Parse::Field(membership::parse)),
    ("$nor", Parse::TopLevel(logical::parse)),
    ("$not", Parse::Field(not::parse)),
    ("$options", Parse::Field(regex::parse_options)),
    ("$or", Parse::TopLevel(logical::parse)),
    ("$regex", Parse::Field(regex::parse)),
    ("$sampleRate", Parse::TopLevel(sample_rate::parse)),
    ("$size", Parse::Field(size::parse)),
    ("$text", Parse::TopLevel(text::parse)),
    ("$type", Parse::Field(bson_type::parse)),
    ("$where", Parse::TopLevel(where_function::parse)),
    ("$within", Parse::Field(geo_within::parse)),
];

/// The parser of an operator.
pub fn find(name: &str) -> Option<Parse> {
    TABLE
        .binary_search_by(|(row, _)| (*row).cmp(name))
        .ok()
        .and_then(|position| TABLE.get(position))
        .map(|(_, parse)| *parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(TABLE.iter().all(|(name, _)| find(name).is_some()));
    }
}
