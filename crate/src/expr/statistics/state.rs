//! Running sums, means, deviations and percentiles, for expressions and for accumulators.
//!
//! Invariant: integers and doubles add with what a double lacks of the sum kept beside it, so that a sum does not
//! depend on how it is cut into parts more than its type makes it; values that are not numbers are ignored.

use super::super::arguments::int_or_long;
use super::super::node::Result;
use crate::algorithms::sorting;
use crate::bson::{Decimal, Number, Value, ValueRef, number::compare_doubles};
use crate::env::Env;

/// A sum of doubles and integers in two doubles: the one nearest to it, and what that one lacks. Integers of 64 bits
/// add exactly up to 2^106.
#[derive(Debug, Clone, Copy, Default)]
struct Exact {
    nearest: f64,
    rest: f64,
    /// The plain sum, for infinities: what a double lacks of one is no number.
    plain: f64,
}

impl Exact {
    fn add(&mut self, number: f64) {
        self.plain += number;
        // The rest is smaller than the number that is added, or taken for it.
        let lifted = number + self.rest;
        self.rest -= lifted - number;
        let sum = self.nearest + lifted;
        let before = sum - lifted;
        let lost = (self.nearest - before) + (lifted - (sum - before));
        self.nearest = sum;
        self.rest += lost;
    }

    fn add_long(&mut self, number: i64) {
        // Both halves are exact as doubles.
        let low = number % (1 << 32);
        self.add(low as f64);
        self.add((number - low) as f64);
    }

    fn as_double(&self) -> f64 {
        match self.nearest.is_nan() {
            true => self.plain,
            false => self.nearest,
        }
    }

    fn as_decimal(&self) -> Decimal {
        match self.nearest.is_finite() {
            true => {
                Decimal::from_double_exactly(self.nearest) + Decimal::from_double_exactly(self.rest)
            }
            false => Decimal::from_double_exactly(self.plain),
        }
    }

    /// The sum of integers; `None` beyond 64 bits.
    fn as_long(&self) -> Option<i64> {
        // A cast of a double that is infinite, or lies beyond 128 bits, gives a number that adds up to no long either.
        match self.nearest.is_nan() {
            true => None,
            false => i64::try_from((self.nearest as i128).saturating_add(self.rest as i128)).ok(),
        }
    }
}

/// A sum of numbers of all types.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    exact: Exact,
    decimal: Option<Decimal>,
    long: bool,
    double: bool,
    count: u64,
}

impl Sum {
    /// Adds a value; anything but a number is left out.
    pub fn add(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Int32(number) => self.exact.add(f64::from(number)),
            ValueRef::Int64(number) => {
                self.long = true;
                self.exact.add_long(number);
            }
            ValueRef::Double(number) => {
                self.double = true;
                self.exact.add(number);
            }
            ValueRef::Decimal128(number) => {
                let sum = self.decimal.unwrap_or(Decimal::ZERO);
                self.decimal = Some(sum + Decimal::from_bits(number));
            }
            _ => return,
        }
        self.count += 1;
    }

    /// The sum where it is an integer of 64 bits.
    fn whole(&self) -> Option<i64> {
        match self.double {
            true => None,
            false => self.exact.as_long(),
        }
    }

    /// The sum in the narrowest type that its numbers allow.
    pub fn value(&self) -> Value<'static> {
        if let Some(decimal) = self.decimal {
            return Value::from((decimal + self.exact.as_decimal()).to_bits());
        }
        match self.whole() {
            Some(sum) if self.long => Value::from(sum),
            Some(sum) => int_or_long(sum),
            None => Value::from(self.exact.as_double()),
        }
    }

    /// The mean; null when nothing was added.
    pub fn mean(&self) -> Value<'static> {
        self.mean_of(match self.whole() {
            Some(whole) => whole as f64,
            None => self.exact.as_double(),
        })
    }

    /// The mean of an expression, which goes by the double nearest to the sum, of integers too.
    pub fn rounded_mean(&self) -> Value<'static> {
        self.mean_of(self.exact.as_double())
    }

    /// The mean, by the sum where no decimal was added.
    fn mean_of(&self, sum: f64) -> Value<'static> {
        if self.count == 0 {
            return Value::NULL;
        }
        match self.decimal {
            Some(decimal) => {
                let count = Decimal::from_i64(i64::try_from(self.count).unwrap_or(i64::MAX));
                let sum = decimal + self.exact.as_decimal();
                Value::from((sum / count).to_bits())
            }
            None => Value::from(sum / self.count as f64),
        }
    }
}

/// A standard deviation, by Welford's method.
#[derive(Debug, Clone, Default)]
pub struct Deviation {
    count: u64,
    mean: f64,
    squares: f64,
    has_infinite: bool,
}

impl Deviation {
    /// Adds a value; anything but a number is left out.
    pub fn add(&mut self, value: ValueRef<'_>) {
        let Some(number) = value.as_number() else {
            return;
        };
        let number = number.to_f64();
        self.has_infinite |= !number.is_finite();
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

    /// The deviation as windows have it that rows leave: null where a number is infinite or none, and a whole zero of
    /// one number.
    pub fn moving_value(&self, sample: bool) -> Value<'static> {
        match self.count {
            _ if self.has_infinite => Value::NULL,
            1 if !sample => Value::from(0),
            _ => self.value(sample),
        }
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
    use crate::bson::Text;

    #[test]
    fn sums_are_exact_where_they_can_be() {
        let mut sum = Sum::default();
        (0..10).for_each(|_| sum.add(ValueRef::Double(0.1)));
        assert_eq!(show(sum.value().as_ref()), "1.0");
        let mut sum = Sum::default();
        sum.add(ValueRef::Int64(i64::MAX));
        sum.add(ValueRef::Int32(1));
        sum.add(ValueRef::String(Text(b"ignored")));
        assert_eq!(show(sum.value().as_ref()), "9.223372036854776e18");
        sum.add(ValueRef::Int32(-1));
        assert_eq!(
            show(sum.value().as_ref()),
            "NumberLong(9223372036854775807)"
        );
        sum.add(ValueRef::Int64(i64::MIN));
        assert_eq!(show(sum.value().as_ref()), "NumberLong(-1)");
        let mut sum = Sum::default();
        sum.add(ValueRef::Int64(i64::MAX));
        sum.add(ValueRef::Int64(i64::MIN));
        assert_eq!(show(sum.mean().as_ref()), "-0.5");
        assert_eq!(show(sum.rounded_mean().as_ref()), "0.0");
    }

    #[test]
    fn sums_of_decimals_take_all_of_the_other_numbers() {
        let sum = |values: &[ValueRef<'_>]| {
            let mut sum = Sum::default();
            values.iter().for_each(|value| sum.add(*value));
            show(sum.value().as_ref())
        };
        let decimal = ValueRef::Decimal128(Decimal::ZERO.to_bits());
        let longs = [decimal, ValueRef::Int64(i64::MAX), ValueRef::Int32(1)];
        assert_eq!(sum(&longs), "Decimal('9223372036854775808')");
        let doubles = [ValueRef::Double(5.0), decimal, ValueRef::Double(1.5)];
        assert_eq!(sum(&doubles), "Decimal('6.5')");
        let tenth = [decimal, ValueRef::Double(0.1)];
        assert_eq!(
            sum(&tenth),
            "Decimal('0.1000000000000000055511151231257827')"
        );
        let infinite = [decimal, ValueRef::Double(f64::INFINITY), ValueRef::Int32(1)];
        assert_eq!(sum(&infinite), "Decimal('Infinity')");
    }

    #[test]
    fn infinities_stay() {
        let mut sum = Sum::default();
        sum.add(ValueRef::Double(f64::INFINITY));
        sum.add(ValueRef::Double(1.0));
        assert_eq!(show(sum.value().as_ref()), "inf");
        sum.add(ValueRef::Double(f64::NEG_INFINITY));
        assert_eq!(show(sum.value().as_ref()), "NaN");
    }
}
