//! `$addToSet`: adds values that an array does not hold yet.

use super::super::errors::{bad_value, fail};
use super::{Argument, Change, Compiled, Operator, Place};
use crate::algorithms::sorting;
use crate::bson::{ArrayBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::error::{Code, CommandError};

struct AddToSet {
    /// In order, each with its position among those given.
    values: Vec<(Value<'static>, usize)>,
    collation: Collation,
}

/// Compiles `{$addToSet: {path: value | {$each: [values]}}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    let each = match argument.value {
        ValueRef::Document(options) => options
            .iter()
            .next()
            .filter(|first| first.name == "$each")
            .map(|first| (first.value, options)),
        _ => None,
    };
    let Some((each, options)) = each else {
        return Ok(Box::new(AddToSet {
            values: vec![(argument.value.to_value(), 0)],
            collation: argument.context.collation.clone(),
        }));
    };
    let ValueRef::Array(values) = each else {
        return fail(
            Code::TypeMismatch,
            format!(
                "The argument to $each in $addToSet must be an array but it was of type {}",
                each.type_name()
            ),
        );
    };
    if options.iter().nth(1).is_some() {
        return Err(bad_value(format!(
            "Found unexpected fields after $each in $addToSet: {options}"
        )));
    }
    let collation = argument.context.collation.clone();
    let given = values.iter().map(ValueRef::to_value);
    let mut values = given.zip(0..).collect();
    sorting::sort_distinct(argument.context.env, &mut values, &mut |(a, _), (b, _)| {
        collation.compare(a.as_ref(), b.as_ref())
    })?;
    Ok(Box::new(AddToSet { values, collation }))
}

impl Operator for AddToSet {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let array = match current {
            ValueRef::Missing => crate::bson::Array::EMPTY,
            ValueRef::Array(array) => array,
            other => {
                return Err(bad_value(format!(
                    "Cannot apply $addToSet to non-array field. Field named '{}' has non-array type {}",
                    place.path.rsplit('.').next().unwrap_or(""),
                    other.type_name()
                )));
            }
        };
        let env = place.context.env;
        let mut fresh: Vec<_> = self.values.iter().map(Some).collect();
        let mut left = fresh.len();
        for item in array.iter() {
            if left == 0 {
                break;
            }
            env.checkpoint()?;
            let found = self
                .values
                .binary_search_by(|(value, _)| self.collation.compare(value.as_ref(), item));
            if let Ok(rank) = found
                && fresh[rank].take().is_some()
            {
                left -= 1;
            }
        }
        if left == 0 && !current.is_missing() {
            return Ok(Change::Same);
        }
        let mut fresh: Vec<_> = fresh.into_iter().flatten().collect();
        sorting::sort_asking(env, &mut fresh, &mut |a, b| a.1.cmp(&b.1))?;
        let mut items = ArrayBuilder::from_array(array);
        for (value, _) in fresh {
            items.push(value.as_ref());
        }
        Ok(Change::Set(Value::Array(items.finish())))
    }
}
