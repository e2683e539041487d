//! The table of expression operators, sorted by name.
//!
//! Invariant: `TABLE` and `UNSUPPORTED` are sorted and have no name in common; COMPAT.md lists
//! what they list.

use super::form::Form;
use super::{arithmetic, boolean, comparison, conditional, variable};

/// Every operator: its name and how it takes its arguments.
pub const TABLE: &[(&str, Form)] = &[
    ("$abs", arithmetic::abs::FORM),
    ("$add", arithmetic::add::FORM),
    ("$and", boolean::and::FORM),
    ("$ceil", arithmetic::ceil::FORM),
    ("$cmp", comparison::cmp::FORM),
    ("$cond", conditional::cond::FORM),
    ("$const", variable::literal::FORM),
    ("$divide", arithmetic::divide::FORM),
    ("$eq", comparison::eq::FORM),
    ("$exp", arithmetic::exp::FORM),
    ("$floor", arithmetic::floor::FORM),
    ("$gt", comparison::gt::FORM),
    ("$gte", comparison::gte::FORM),
    ("$ifNull", conditional::if_null::FORM),
    ("$let", variable::bind::FORM),
    ("$literal", variable::literal::FORM),
    ("$ln", arithmetic::ln::FORM),
    ("$log", arithmetic::log::FORM),
    ("$log10", arithmetic::log10::FORM),
    ("$lt", comparison::lt::FORM),
    ("$lte", comparison::lte::FORM),
    ("$mod", arithmetic::modulo::FORM),
    ("$multiply", arithmetic::multiply::FORM),
    ("$ne", comparison::ne::FORM),
    ("$not", boolean::not::FORM),
    ("$or", boolean::or::FORM),
    ("$pow", arithmetic::pow::FORM),
    ("$round", arithmetic::round::FORM),
    ("$sqrt", arithmetic::sqrt::FORM),
    ("$subtract", arithmetic::subtract::FORM),
    ("$switch", conditional::switch::FORM),
    ("$trunc", arithmetic::trunc::FORM),
];

/// Operators that MongoDB has and this engine refuses, sorted.
pub const UNSUPPORTED: &[&str] = &["$accumulator", "$function", "$meta", "$sampleRate"];

/// The row of an operator.
pub fn find(name: &str) -> Option<(&'static str, Form)> {
    let position = TABLE.binary_search_by(|(held, _)| (*held).cmp(name)).ok()?;
    TABLE.get(position).copied()
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
