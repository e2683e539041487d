//! The table of accumulators, sorted by name.
//!
//! Invariant: `TABLE` and `UNSUPPORTED` are sorted and have no name in common; COMPAT.md lists the same names.

use super::accumulator::{AccumulatorPlan, Form, Result};
use super::*;
use crate::bson::{Value, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, compile as compile_expression};

/// Every accumulator.
pub const TABLE: &[(&str, Form)] = &[
    ("$accumulator", script::FORM),
    ("$addToSet", add_to_set::FORM),
    ("$avg", sum::AVG),
    ("$bottom", ranking::BOTTOM),
    ("$bottomN", ranking::BOTTOM_N),
    ("$concatArrays", concat_arrays::FORM),
    ("$count", count::FORM),
    ("$first", first::FORM),
    ("$firstN", first_last_n::FIRST),
    ("$last", last::FORM),
    ("$lastN", first_last_n::LAST),
    ("$max", min_max::MAX),
    ("$maxN", min_max_n::MAX),
    ("$median", median::FORM),
    ("$mergeObjects", merge_objects::FORM),
    ("$min", min_max::MIN),
    ("$minN", min_max_n::MIN),
    ("$percentile", percentile::FORM),
    ("$push", push::FORM),
    ("$setUnion", set_union::FORM),
    ("$stdDevPop", std_dev::POPULATION),
    ("$stdDevSamp", std_dev::SAMPLE),
    ("$sum", sum::SUM),
    ("$top", ranking::TOP),
    ("$topN", ranking::TOP_N),
];

/// Accumulators that MongoDB has and this engine refuses, sorted.
pub const UNSUPPORTED: &[&str] = &[];

/// Compiles an accumulator of a field: `{$name: argument}`.
///
/// # Errors
/// 40234 and 40238 for a field that is no accumulator, 15952 for an unknown one, 40237 for an array.
pub fn compile(
    field: &str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<AccumulatorPlan> {
    let not_accumulator = || {
        CommandError::location(
            40234,
            format!("The field '{field}' must be an accumulator object"),
        )
    };
    let ValueRef::Document(object) = specification else {
        return Err(not_accumulator());
    };
    let mut fields = object.iter();
    let accumulator = fields.next().ok_or_else(not_accumulator)?;
    if !accumulator.name.starts_with('$') {
        return Err(not_accumulator());
    }
    if fields.next().is_some() {
        return Err(CommandError::location(
            40238,
            format!("The field '{field}' must specify one accumulator"),
        ));
    }
    compile_named(accumulator.name, accumulator.value, context)
}

/// Compiles an accumulator by its name.
///
/// # Errors
/// As `compile`.
pub fn compile_named(
    name: &str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<AccumulatorPlan> {
    let row = TABLE
        .binary_search_by(|(held, _)| (*held).cmp(name))
        .ok()
        .and_then(|position| TABLE.get(position));
    let Some((name, form)) = row.copied() else {
        return Err(if UNSUPPORTED.contains(&name) {
            CommandError::new(
                Code::NotImplemented,
                format!("The accumulator '{name}' is not supported"),
            )
        } else {
            CommandError::location(15952, format!("unknown group operator '{name}'"))
        });
    };
    match form {
        Form::Custom(compile) => compile(name, argument, context),
        Form::Single(_) if matches!(argument, ValueRef::Array(_)) => Err(CommandError::location(
            40237,
            format!("The {name} accumulator is a unary operator"),
        )),
        Form::Single(start) => Ok(AccumulatorPlan {
            name,
            argument: compile_expression(argument, context)?,
            specification: Value::MISSING,
            start: {
                let collation = context.collation.clone();
                Box::new(move || start(&collation))
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
