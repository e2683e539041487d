//! The table of expression operators, sorted by name.
//!
//! Invariant: `TABLE` and `UNSUPPORTED` are sorted and have no name in common; COMPAT.md lists
//! the same names.

use super::form::Form;
use super::{
    arithmetic, array, bitwise, boolean, comparison, conditional, data_size, date, miscellaneous,
    object, set, statistics, string, timestamp, trigonometry, types, variable,
};

/// Every operator: its name and how it takes its arguments.
pub const TABLE: &[(&str, Form)] = &[
    ("$abs", arithmetic::abs::FORM),
    ("$acos", trigonometry::acos::FORM),
    ("$acosh", trigonometry::acosh::FORM),
    ("$add", arithmetic::add::FORM),
    ("$allElementsTrue", set::all_elements_true::FORM),
    ("$and", boolean::and::FORM),
    ("$anyElementTrue", set::any_element_true::FORM),
    ("$arrayElemAt", array::array_elem_at::FORM),
    ("$arrayToObject", array::array_to_object::FORM),
    ("$asin", trigonometry::asin::FORM),
    ("$asinh", trigonometry::asinh::FORM),
    ("$atan", trigonometry::atan::FORM),
    ("$atan2", trigonometry::atan2::FORM),
    ("$atanh", trigonometry::atanh::FORM),
    ("$avg", statistics::sum::AVG),
    ("$binarySize", data_size::binary_size::FORM),
    ("$bitAnd", bitwise::bit_and::FORM),
    ("$bitNot", bitwise::bit_not::FORM),
    ("$bitOr", bitwise::bit_or::FORM),
    ("$bitXor", bitwise::bit_xor::FORM),
    ("$bsonSize", data_size::bson_size::FORM),
    ("$ceil", arithmetic::ceil::FORM),
    ("$cmp", comparison::cmp::FORM),
    ("$concat", string::concat::FORM),
    ("$concatArrays", array::concat_arrays::FORM),
    ("$cond", conditional::cond::FORM),
    ("$const", variable::literal::FORM),
    ("$convert", types::convert::FORM),
    ("$cos", trigonometry::cos::FORM),
    ("$cosh", trigonometry::cosh::FORM),
    ("$dateAdd", date::date_add::FORM),
    ("$dateDiff", date::date_diff::FORM),
    ("$dateFromParts", date::date_from_parts::FORM),
    ("$dateFromString", date::date_from_string::FORM),
    ("$dateSubtract", date::date_subtract::FORM),
    ("$dateToParts", date::date_to_parts::FORM),
    ("$dateToString", date::date_to_string::FORM),
    ("$dateTrunc", date::date_trunc::FORM),
    ("$dayOfMonth", date::day_of_month::FORM),
    ("$dayOfWeek", date::day_of_week::FORM),
    ("$dayOfYear", date::day_of_year::FORM),
    ("$degreesToRadians", trigonometry::degrees_to_radians::FORM),
    ("$divide", arithmetic::divide::FORM),
    ("$eq", comparison::eq::FORM),
    ("$exp", arithmetic::exp::FORM),
    ("$filter", array::filter::FORM),
    ("$first", array::first::FORM),
    ("$firstN", array::first_last_n::FIRST),
    ("$floor", arithmetic::floor::FORM),
    ("$function", miscellaneous::function::FORM),
    ("$getField", object::get_field::FORM),
    ("$gt", comparison::gt::FORM),
    ("$gte", comparison::gte::FORM),
    ("$hour", date::hour::FORM),
    ("$ifNull", conditional::if_null::FORM),
    ("$in", array::in_array::FORM),
    ("$indexOfArray", array::index_of_array::FORM),
    ("$indexOfBytes", string::index_of_bytes::FORM),
    ("$indexOfCP", string::index_of_cp::FORM),
    ("$isArray", array::is_array::FORM),
    ("$isNumber", types::is_number::FORM),
    ("$isoDayOfWeek", date::iso_day_of_week::FORM),
    ("$isoWeek", date::iso_week::FORM),
    ("$isoWeekYear", date::iso_week_year::FORM),
    ("$last", array::last::FORM),
    ("$lastN", array::first_last_n::LAST),
    ("$let", variable::bind::FORM),
    ("$literal", variable::literal::FORM),
    ("$ln", arithmetic::logarithms::LN),
    ("$log", arithmetic::log::FORM),
    ("$log10", arithmetic::logarithms::LOG10),
    ("$lt", comparison::lt::FORM),
    ("$lte", comparison::lte::FORM),
    ("$ltrim", string::ltrim::FORM),
    ("$map", array::map::FORM),
    ("$max", statistics::min_max::MAX),
    ("$maxN", array::min_max_n::MAX),
    ("$median", statistics::median::FORM),
    ("$mergeObjects", object::merge_objects::FORM),
    ("$meta", miscellaneous::meta::FORM),
    ("$millisecond", date::millisecond::FORM),
    ("$min", statistics::min_max::MIN),
    ("$minN", array::min_max_n::MIN),
    ("$minute", date::minute::FORM),
    ("$mod", arithmetic::modulo::FORM),
    ("$month", date::month::FORM),
    ("$multiply", arithmetic::multiply::FORM),
    ("$ne", comparison::ne::FORM),
    ("$not", boolean::not::FORM),
    ("$objectToArray", array::object_to_array::FORM),
    ("$or", boolean::or::FORM),
    ("$percentile", statistics::percentile::FORM),
    ("$pow", arithmetic::pow::FORM),
    ("$radiansToDegrees", trigonometry::radians_to_degrees::FORM),
    ("$rand", miscellaneous::rand::FORM),
    ("$range", array::range::FORM),
    ("$reduce", array::reduce::FORM),
    ("$regexFind", string::regex_find::FORM),
    ("$regexFindAll", string::regex_find_all::FORM),
    ("$regexMatch", string::regex_match::FORM),
    ("$replaceAll", string::replace_all::FORM),
    ("$replaceOne", string::replace_one::FORM),
    ("$reverseArray", array::reverse_array::FORM),
    ("$round", arithmetic::round::FORM),
    ("$rtrim", string::rtrim::FORM),
    ("$second", date::second::FORM),
    ("$setDifference", set::set_difference::FORM),
    ("$setEquals", set::set_equals::FORM),
    ("$setField", object::set_field::FORM),
    ("$setIntersection", set::set_intersection::FORM),
    ("$setIsSubset", set::set_is_subset::FORM),
    ("$setUnion", set::set_union::FORM),
    ("$sigmoid", arithmetic::sigmoid::FORM),
    ("$sin", trigonometry::sin::FORM),
    ("$sinh", trigonometry::sinh::FORM),
    ("$size", array::size::FORM),
    ("$slice", array::slice::FORM),
    ("$sortArray", array::sort_array::FORM),
    ("$split", string::split::FORM),
    ("$sqrt", arithmetic::sqrt::FORM),
    ("$stdDevPop", statistics::std_dev::POPULATION),
    ("$stdDevSamp", statistics::std_dev::SAMPLE),
    ("$strLenBytes", string::str_len_bytes::FORM),
    ("$strLenCP", string::str_len_cp::FORM),
    ("$strcasecmp", string::strcasecmp::FORM),
    ("$substr", string::substr_bytes::FORM),
    ("$substrBytes", string::substr_bytes::FORM),
    ("$substrCP", string::substr_cp::FORM),
    ("$subtract", arithmetic::subtract::FORM),
    ("$sum", statistics::sum::SUM),
    ("$switch", conditional::switch::FORM),
    ("$tan", trigonometry::tan::FORM),
    ("$tanh", trigonometry::tanh::FORM),
    ("$toBool", types::to_bool::FORM),
    ("$toDate", types::to_date::FORM),
    ("$toDecimal", types::to_decimal::FORM),
    ("$toDouble", types::to_double::FORM),
    (
        "$toHashedIndexKey",
        miscellaneous::to_hashed_index_key::FORM,
    ),
    ("$toInt", types::to_int::FORM),
    ("$toLong", types::to_long::FORM),
    ("$toLower", string::to_lower::FORM),
    ("$toObjectId", types::to_object_id::FORM),
    ("$toString", types::to_string::FORM),
    ("$toUUID", types::to_uuid::FORM),
    ("$toUpper", string::to_upper::FORM),
    ("$trim", string::trim::FORM),
    ("$trunc", arithmetic::trunc::FORM),
    ("$tsIncrement", timestamp::ts_increment::FORM),
    ("$tsSecond", timestamp::ts_second::FORM),
    ("$type", types::type_name::FORM),
    ("$unsetField", object::set_field::FORM),
    ("$week", date::week::FORM),
    ("$year", date::year::FORM),
    ("$zip", array::zip::FORM),
];

/// Operators that MongoDB has and this engine refuses, sorted.
pub const UNSUPPORTED: &[&str] = &["$sampleRate"];

/// The row of an operator.
pub fn find(name: &str) -> Option<(&'static str, Form)> {
    let position = TABLE.binary_search_by(|(held, _)| (*held).cmp(name)).ok()?;
    TABLE.get(position).copied()
}

/// Whether it is the name of an operator, supported or not.
pub fn is_known(name: &str) -> bool {
    find(name).is_some() || UNSUPPORTED.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_disjoint() {
        assert!(TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(UNSUPPORTED.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(UNSUPPORTED.iter().all(|name| find(name).is_none()));
    }
}
