//! The arguments of `$median` and `$percentile`, for expressions and for accumulators.

use super::super::arguments::error;
use super::super::node::Result;
use crate::bson::ValueRef;
use crate::bson::wording::Plain;

/// Checks the `method`, of which there is one.
pub fn check_method(method: ValueRef<'_>) -> Result<()> {
    match method.as_str() {
        Some("approximate") => Ok(()),
        _ => Err(error(
            2,
            "Currently only 'approximate' can be used as percentile 'method'.",
        )),
    }
}

/// The shares that `p` lists.
pub fn shares(list: ValueRef<'_>) -> Result<Vec<f64>> {
    let refuse = || {
        error(
            7_750_301,
            "'p' in $percentile must be an array of numbers in range [0.0, 1.0]",
        )
    };
    let items = list.as_array().filter(|items| !items.is_empty());
    let items = items.ok_or_else(|| error(7_750_300, "'p' must be a non-empty array"))?;
    let mut shares = Vec::new();
    for item in items.iter() {
        let number = item.as_number().ok_or_else(refuse)?.to_f64();
        if !(0.0..=1.0).contains(&number) {
            return Err(error(
                7_750_303,
                format!(
                    "'p' in $percentile must contain numbers in range [0.0, 1.0], found {}",
                    Plain(number)
                ),
            ));
        }
        shares.push(number);
    }
    Ok(shares)
}
