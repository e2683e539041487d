//! The arguments of `$median` and `$percentile`, for expressions and for accumulators.

use super::super::arguments::error;
use super::super::node::Result;
use crate::bson::{Value, ValueRef};

/// Checks the `method`, of which there is one.
pub fn check_method(method: ValueRef<'_>, name: &str) -> Result<()> {
    match method.as_str() {
        Some("approximate") => Ok(()),
        None => Err(error(
            14,
            format!(
                "BSON field '{name}.method' is the wrong type '{}', expected type 'string'",
                method.type_name()
            ),
        )),
        Some(_) => Err(error(
            2,
            "Currently only 'approximate' can be used as percentile 'method'.",
        )),
    }
}

/// The compiled `p`, which must be a constant.
///
/// # Errors
/// 7750300 for another value than such a list, and the errors of `shares`.
pub fn constant_shares(list: Option<&Value<'_>>, given: ValueRef<'_>) -> Result<Vec<f64>> {
    match list {
        Some(list) => shares(list.as_ref()),
        None => Err(error(
            7_750_300,
            format!(
                "The $percentile 'p' field must be an array of constant values, but found value: {given}."
            ),
        )),
    }
}

/// The shares that `p` lists.
pub fn shares(list: ValueRef<'_>) -> Result<Vec<f64>> {
    let refuse = |code, found: ValueRef<'_>| {
        Err(error(
            code,
            format!(
                "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: \
                 {found}"
            ),
        ))
    };
    let Some(items) = list.as_array().filter(|items| !items.is_empty()) else {
        return refuse(7_750_301, list);
    };
    let mut shares = Vec::new();
    for item in items.iter() {
        let Some(number) = item.as_number() else {
            return refuse(7_750_302, item);
        };
        let share = number.to_f64();
        if !(0.0..=1.0).contains(&share) {
            return refuse(7_750_303, item);
        }
        shares.push(share);
    }
    Ok(shares)
}
