//! A running covariance, for window functions.
//!
//! Follows the manual's "$covariancePop (aggregation)" and "$covarianceSamp (aggregation)" pages. Invariant: the result
//! is a decimal where a number of a pair was one, and a double otherwise.

use super::super::arithmetic::numeric;
use super::super::node::Result;
use super::state::Sum;
use crate::bson::{Decimal, Number, Value, ValueRef};

/// The covariance of pairs of numbers, by one pass: each pair moves the means, and adds the product of what `x` was off
/// before and `y` is off after.
#[derive(Debug, Clone, Default)]
pub struct Covariance {
    count: u64,
    x: Sum,
    y: Sum,
    products: Sum,
}

impl Covariance {
    /// Adds an array of two numbers; anything else is left out.
    ///
    /// # Errors
    /// Errors of the arithmetic.
    pub fn add(&mut self, value: ValueRef<'_>) -> Result<()> {
        let ValueRef::Array(items) = value else {
            return Ok(());
        };
        let mut items = items.iter();
        let (Some(x), Some(y), None) = (items.next(), items.next(), items.next()) else {
            return Ok(());
        };
        let (Some(x), Some(y)) = (x.as_number(), y.as_number()) else {
            return Ok(());
        };
        let finite = |number: Number| matches!(number.to_decimal(), Decimal::Finite { .. });
        if !finite(x) || !finite(y) {
            self.products.add(not_finite(x, y).to_value());
            return Ok(());
        }
        let off = |number: Number, mean: &Sum| {
            let mean = mean.mean();
            let mean = mean.as_ref().as_number()?;
            Some(numeric::subtract(number, mean))
        };
        self.count += 1;
        let off_x = off(x, &self.x);
        self.x.add(x.to_value());
        self.y.add(y.to_value());
        if let (Some(off_x), Some(off_y)) = (off_x, off(y, &self.y)) {
            self.products
                .add(numeric::multiply(off_x, off_y).to_value());
        }
        Ok(())
    }

    /// The covariance of the population, or of a sample of one; null when there is too little.
    ///
    /// # Errors
    /// Errors of the arithmetic.
    pub fn value(&self, sample: bool) -> Result<Value<'static>> {
        if self.count == 1 && !sample {
            return Ok(Value::from(0.0));
        }
        let degrees = self.count.saturating_sub(u64::from(sample)) as f64;
        let sum = self.products.value();
        match sum.as_ref().as_number() {
            Some(sum) if degrees > 0.0 => {
                let mean = numeric::divide(sum, Number::Double(degrees))?;
                Ok(numeric::value_of(mean))
            }
            _ => Ok(Value::NULL),
        }
    }
}

/// The product of a pair in which a number is infinite or none: not a number where the infinities differ in sign.
fn not_finite(x: Number, y: Number) -> Number {
    let pair = [x.to_decimal(), y.to_decimal()];
    let infinite = |negative| pair.contains(&Decimal::Infinity { negative });
    let product = match (infinite(false), infinite(true)) {
        _ if pair.contains(&Decimal::NaN) => f64::NAN,
        (true, true) => f64::NAN,
        (true, false) => f64::INFINITY,
        (false, _) => f64::NEG_INFINITY,
    };
    let is_decimal = |number| matches!(number, Number::Decimal128(_));
    match is_decimal(x) || is_decimal(y) {
        true => Number::Decimal128(Decimal::from_double(product).to_bits()),
        false => Number::Double(product),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{show, value};
    use super::*;

    fn covariance(pairs: &[&str], sample: bool) -> String {
        let mut state = Covariance::default();
        for pair in pairs {
            state.add(value(pair).as_ref()).expect("numbers multiply");
        }
        show(state.value(sample).expect("numbers divide").as_ref())
    }

    #[test]
    fn keeps_the_widest_type() {
        assert_eq!(covariance(&["[1, 10]", "[3, 30]"], false), "10.0");
        assert_eq!(covariance(&["[1, 10]", "[3, 30]"], true), "20.0");
        let decimals = ["[Decimal('1'), 10]", "[Decimal('3'), Decimal('30')]"];
        assert_eq!(covariance(&decimals, false), "Decimal('1E+1')");
        assert_eq!(covariance(&decimals[..1], false), "0.0");
        assert_eq!(covariance(&decimals[..1], true), "null");
    }

    #[test]
    fn leaves_out_what_is_no_pair() {
        let pairs = ["[1, 10]", "[9, 9, 9]", "[9]", "['x', 9]", "9", "[3, 30]"];
        assert_eq!(covariance(&pairs, false), "10.0");
    }

    #[test]
    fn infinities_decide() {
        let infinite = |pair| covariance(&["[1, 10]", "[3, 30]", pair], false);
        assert_eq!(infinite("[Infinity, 1]"), "inf");
        assert_eq!(infinite("[1, Infinity]"), "inf");
        assert_eq!(infinite("[NaN, Infinity]"), "NaN");
        assert_eq!(
            infinite("[Decimal('-Infinity'), 1]"),
            "Decimal('-Infinity')"
        );
        assert_eq!(
            infinite("[Decimal('-Infinity'), Infinity]"),
            "Decimal('NaN')"
        );
    }
}
