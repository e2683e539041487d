//! Running sums, means, deviations and percentiles, for expressions and for accumulators.
//!
//! Invariant: integers add exactly, doubles with a compensation term, so that a sum does not depend
//! on how it is cut into parts more than its type makes it; values that are not numbers are ignored.

use super::super::arguments::int_or_long;
use super::super::node::Result;
use crate::algorithms::sorting;
use crate::bson::{Decimal, Number, Value, ValueRef, number::compare_doubles};
use crate::env::Env;

/// A sum of numbers of all types.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    integers: i128,
    doubles: f64,
    compensation: f64,
    decimal: Option<Decimal>,
    long: bool,
    double: bool,
    count: u64,
}

impl Sum {
    /// Adds a value; anything but a number is left out.
    pub fn add(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Int32(number) => self.integers += i128::from(number),
            ValueRef::Int64(number) => {
                self.long = true;
                self.integers += i128::from(number);
            }
            ValueRef::Double(number) => {
                self.double = true;
                self.add_double(number);
            }
            ValueRef::Decimal128(number) => {
                let sum = self.decimal.unwrap_or(Decimal::ZERO);
                self.decimal = Some(sum + Decimal::from_bits(number));
            }
            _ => return,
        }
        self.count += 1;
    }

    fn add_double(&mut self, number: f64) {
        let sum = self.doubles + number;
        if sum.is_finite() {
            // The part of the smaller addend that the sum lost.
            let (large, small) = if self.doubles.abs() >= number.abs() {
                (self.doubles, number)
            } else {
                (number, self.doubles)
            };
            self.compensation += (large - sum) + small;
        } else {
            self.compensation = 0.0;
        }
        self.doubles = sum;
    }

    fn as_double(&self) -> f64 {
        let doubles = self.doubles + self.compensation;
        if self.integers == 0 {
            doubles
        } else {
            self.integers as f64 + doubles
        }
    }

    fn as_decimal(&self, decimal: Decimal) -> Decimal {
        let integers = match i64::try_from(self.integers) {
            Ok(number) => Decimal::from_i64(number),
            Err(_) => Decimal::from_double(self.integers as f64),
        };
        let mut sum = decimal + integers;
        if self.double {
            sum = sum + Decimal::from_double(self.doubles + self.compensation);
        }
        sum
    }

    /// The sum in the narrowest type that its numbers allow.
    pub fn value(&self) -> Value<'static> {
        if let Some(decimal) = self.decimal {
            return Value::from(self.as_decimal(decimal).to_bits());
        }
        if self.double {
            return Value::from(self.as_double());
        }
        match i64::try_from(self.integers) {
            Ok(sum) if self.long => Value::from(sum),
            Ok(sum) => int_or_long(sum),
            Err(_) => Value::from(self.integers as f64),
        }
    }

    /// The mean; null when nothing was added.
    pub fn mean(&self) -> Value<'static> {
        if self.count == 0 {
            return Value::NULL;
        }
        match self.decimal {
            Some(decimal) => {
                let count = Decimal::from_i64(i64::try_from(self.count).unwrap_or(i64::MAX));
                Value::from((self.as_decimal(decimal) / count).to_bits())
            }
            None => Value::from(self.as_double() / self.count as f64),
        }
    }
}

/// A standard deviation, by Welford's method.
#[derive(Debug, Clone, Default)]
pub struct Deviation {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Deviation {
    /// Adds a value; anything but a number is left out.
    pub fn add(&mut self, value: ValueRef<'_>) {
        let Some(number) = value.as_number() else {
            return;
        };
        let number = number.to_f64();
        self.count += 1;
        let delta = number - self.mean;
        if delta != 0.0 {
            self.mean += delta / self.count as f64;
            self.squares += delta * (number - self.mean);
        }
    }

    /// The deviation of the population, or of a sample of one; null when there is too little.
    pub fn value(&self, sample: bool) -> Value<'static> {
        let degrees = self.count.saturating_sub(u64::from(sample));
        if degrees == 0 {
            return Value::NULL;
        }
        Value::from((self.squares / degrees as f64).sqrt())
    }
}

/// The numbers that percentiles are taken of.
#[derive(Debug, Clone, Default)]
pub struct Percentiles {
    numbers: Vec<f64>,
    sorted: bool,
}

impl Percentiles {
    /// Adds a value; anything but a number is left out.
    pub fn add(&mut self, value: ValueRef<'_>) {
        if let Some(number) = value.as_number().map(Number::to_f64)
            && !number.is_nan()
        {
            self.numbers.push(number);
            self.sorted = false;
        }
    }

    /// The least number that is not below that share of them; null without numbers.
    ///
    /// # Errors
    /// Errors of `Env::checkpoint`.
    pub fn value(&mut self, share: f64, env: &dyn Env) -> Result<Value<'static>> {
        if !self.sorted {
            let compare = &mut |a: &f64, b: &f64| compare_doubles(*a, *b);
            sorting::sort_asking(env, &mut self.numbers, compare)?;
            self.sorted = true;
        }
        let rank = (share * self.numbers.len() as f64).ceil() as usize;
        Ok(match self.numbers.get(rank.saturating_sub(1)) {
            Some(number) => Value::from(*number),
            None => Value::NULL,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::show;
    use super::*;

    #[test]
    fn sums_are_exact_where_they_can_be() {
        let mut sum = Sum::default();
        (0..10).for_each(|_| sum.add(ValueRef::Double(0.1)));
        assert_eq!(show(sum.value().as_ref()), "1.0");
        let mut sum = Sum::default();
        sum.add(ValueRef::Int64(i64::MAX));
        sum.add(ValueRef::Int32(1));
        sum.add(ValueRef::String("ignored"));
        assert_eq!(show(sum.value().as_ref()), "9.223372036854776e18");
        sum.add(ValueRef::Int32(-1));
        assert_eq!(
            show(sum.value().as_ref()),
            "NumberLong(9223372036854775807)"
        );
    }
}
