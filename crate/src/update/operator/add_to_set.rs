//! `$addToSet`: adds values that an array does not hold yet.

use super::super::errors::{bad_value, fail};
use super::{Argument, Change, Compiled, Operator, Place};
use crate::bson::{ArrayBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::error::{Code, CommandError};

struct AddToSet(Vec<Value<'static>>, Collation);

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
        return Ok(Box::new(AddToSet(
            vec![argument.value.to_value()],
            argument.context.collation.clone(),
        )));
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
    if let Some(other) = options.iter().nth(1) {
        return Err(bad_value(format!(
            "Found unexpected fields after $each in $addToSet: {}",
            other.name
        )));
    }
    let collation = argument.context.collation.clone();
    let mut distinct: Vec<Value<'static>> = Vec::new();
    for value in values.iter() {
        if !distinct
            .iter()
            .any(|known| collation.equal(known.as_ref(), value))
        {
            distinct.push(value.to_value());
        }
    }
    Ok(Box::new(AddToSet(distinct, collation)))
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
        let fresh: Vec<ValueRef<'_>> = self
            .0
            .iter()
            .map(Value::as_ref)
            .filter(|value| !array.iter().any(|item| self.1.equal(item, *value)))
            .collect();
        if fresh.is_empty() && !current.is_missing() {
            return Ok(Change::Same);
        }
        let mut items = ArrayBuilder::from_array(array);
        for value in fresh {
            items.push(value);
        }
        Ok(Change::Set(Value::Array(items.finish())))
    }
}
