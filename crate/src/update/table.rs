//! The table of update operators, sorted by name.

use super::operator::{self, Argument, Compiled};

/// One row: an operator and how its fields compile.
pub struct UpdateOperatorRow {
    pub name: &'static str,
    pub(super) compile: fn(&Argument<'_>) -> Compiled,
}

/// Every update operator; see the manual's "Update Operators".
pub const TABLE: &[UpdateOperatorRow] = &[
    UpdateOperatorRow {
        name: "$addToSet",
        compile: operator::add_to_set::compile,
    },
    UpdateOperatorRow {
        name: "$bit",
        compile: operator::bit::compile,
    },
    UpdateOperatorRow {
        name: "$currentDate",
        compile: operator::current_date::compile,
    },
    UpdateOperatorRow {
        name: "$inc",
        compile: operator::inc::compile,
    },
    UpdateOperatorRow {
        name: "$max",
        compile: operator::max::compile,
    },
    UpdateOperatorRow {
        name: "$min",
        compile: operator::min::compile,
    },
    UpdateOperatorRow {
        name: "$mul",
        compile: operator::mul::compile,
    },
    UpdateOperatorRow {
        name: "$pop",
        compile: operator::pop::compile,
    },
    UpdateOperatorRow {
        name: "$pull",
        compile: operator::pull::compile,
    },
    UpdateOperatorRow {
        name: "$pullAll",
        compile: operator::pull_all::compile,
    },
    UpdateOperatorRow {
        name: "$push",
        compile: operator::push::compile,
    },
    UpdateOperatorRow {
        name: "$rename",
        compile: operator::rename::compile,
    },
    UpdateOperatorRow {
        name: "$set",
        compile: operator::set::compile,
    },
    UpdateOperatorRow {
        name: "$setOnInsert",
        compile: operator::set_on_insert::compile,
    },
    UpdateOperatorRow {
        name: "$unset",
        compile: operator::unset::compile,
    },
];

pub(super) fn find(name: &str) -> Option<&'static UpdateOperatorRow> {
    TABLE
        .binary_search_by(|row| row.name.cmp(name))
        .ok()
        .and_then(|position| TABLE.get(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_sorted_without_repeats() {
        assert!(TABLE.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
