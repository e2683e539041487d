//! The values of an accumulator used as an expression: the items of one array, or the arguments.

use crate::bson::{Value, ValueRef};

/// Calls `each` for every value.
pub fn each_value(arguments: &[Value<'_>], each: &mut dyn FnMut(ValueRef<'_>)) {
    match arguments {
        [one] => match one.as_ref() {
            ValueRef::Array(items) => items.iter().for_each(each),
            value => each(value),
        },
        many => many.iter().for_each(|value| each(value.as_ref())),
    }
}
