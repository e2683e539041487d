//! Evaluates a window function over one partition.
//!
//! The stage runs accumulators often, and is compiled for speed with all that is inlined in it. The functions that are
//! run more seldom stay out of line, and small.

use super::super::accumulators::several::size;
use super::bounds::Window;
use super::function::Function;
use super::partition::Rows;
use crate::bson::{Number, Value, ValueRef, compare};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::memory::Usage;
use crate::expr::arithmetic::numeric;
use crate::expr::arithmetic::subtract::difference;
use crate::expr::date::unit::Unit;
use crate::expr::statistics::covariance::Covariance;
use crate::expr::statistics::state::Sum;
use crate::expr::{Expression, Scope};

type Result<T> = std::result::Result<T, CommandError>;

/// Values as they are made, which count towards the stage's memory.
struct Made<'m> {
    values: Vec<Value<'static>>,
    usage: &'m mut Usage,
    env: &'m dyn Env,
}

impl<'m> Made<'m> {
    fn new(usage: &'m mut Usage, env: &'m dyn Env) -> Self {
        Self {
            values: Vec::new(),
            usage,
            env,
        }
    }

    fn push(&mut self, value: Value<'static>) -> Result<()> {
        self.env.checkpoint()?;
        self.usage.add(size(value.as_ref()), "$setWindowFields")?;
        self.values.push(value);
        Ok(())
    }
}

/// The function's value for each row, or one value where all rows have the same.
///
/// # Errors
/// Errors of its expressions and its window.
pub fn evaluate(
    function: &Function,
    rows: &Rows<'_>,
    usage: &mut Usage,
    env: &dyn Env,
) -> Result<Vec<Value<'static>>> {
    let mut values = |expression: &Expression| -> Result<Vec<Value<'static>>> {
        let mut made = Made::new(usage, env);
        for at in 0..rows.count() {
            let scope = Scope::of(ValueRef::Document(rows.document(at)), env);
            made.push(expression.evaluate(&scope)?.into_owned())?;
        }
        Ok(made.values)
    };
    Ok(match function {
        Function::Accumulator(plan, window) => {
            let inputs = values(&plan.argument)?;
            accumulate(plan, window, &inputs, rows, Made::new(usage, env))?
        }
        Function::DocumentNumber => (1..=rows.count() as i64).map(integer).collect(),
        Function::Rank { dense } => ranks(rows, *dense),
        Function::Shift {
            output,
            by,
            default,
        } => {
            let outputs = values(output)?;
            let shifted = |at: usize| {
                usize::try_from(at as i64 + by)
                    .ok()
                    .and_then(|from| outputs.get(from))
                    .filter(|output| !output.as_ref().is_missing())
                    .unwrap_or(default)
                    .clone()
            };
            let mut made = Made::new(usage, env);
            for at in 0..rows.count() {
                made.push(shifted(at))?;
            }
            made.values
        }
        Function::LastCarried(expression) => {
            let mut last = Value::NULL;
            let inputs = values(expression)?;
            let mut carried = Made::new(usage, env);
            for value in inputs {
                if !value.as_ref().is_nullish() {
                    last = value;
                }
                carried.push(last.clone())?;
            }
            carried.values
        }
        Function::LinearFill(expression) => fill(values(expression)?, rows.sorts)?,
        Function::MovingAverage { input, alpha } => moving_averages(values(input)?, *alpha),
        Function::Covariance {
            pair,
            sample,
            window,
        } => {
            let pairs = values(pair)?;
            by_window(window, rows, env, &|range| {
                let mut state = Covariance::default();
                for pair in &pairs[range] {
                    state.add(pair.as_ref())?;
                }
                state.value(*sample)
            })?
        }
        Function::Scaled {
            input,
            ends,
            to,
            window,
        } => {
            let inputs = values(input)?;
            let mut numbers = Vec::with_capacity(inputs.len());
            for value in &inputs {
                let number = value.as_ref().as_number().ok_or_else(|| {
                    CommandError::location(
                        10_487_000,
                        format!(
                            "'input' argument to $minMaxScaler must evaluate to a numeric type, got: {}",
                            value.as_ref().type_name()
                        ),
                    )
                })?;
                numbers.push(number);
            }
            let mut end = |plan| accumulate(plan, window, &inputs, rows, Made::new(usage, env));
            let (least, greatest) = (end(&ends[0])?, end(&ends[1])?);
            let mut made = Made::new(usage, env);
            for (at, number) in numbers.into_iter().enumerate() {
                // Where all rows have the same ends, they stand there once.
                let end = |ends: &[Value<'static>]| {
                    let end = ends.get(at).or(ends.last());
                    end.and_then(|value| value.as_ref().as_number())
                };
                made.push(match (end(&least), end(&greatest)) {
                    (Some(low), Some(high)) => numeric::value_of(scale(number, [low, high], *to)?),
                    _ => Value::NULL,
                })?;
            }
            made.values
        }
        Function::Derivative {
            input,
            unit,
            window,
        } => {
            let inputs = values(input)?;
            by_window(window, rows, env, &|range| {
                slope(&inputs[range.clone()], &rows.sorts[range], *unit)
            })?
        }
        Function::Integral {
            input,
            unit,
            window,
        } => {
            let inputs = values(input)?;
            by_window(window, rows, env, &|range| {
                area(&inputs[range.clone()], &rows.sorts[range], *unit)
            })?
        }
    })
}

fn integer(number: i64) -> Value<'static> {
    crate::expr::arguments::int_or_long(number)
}

fn by_window(
    window: &Window,
    rows: &Rows<'_>,
    env: &dyn Env,
    reduce: &dyn Fn(std::ops::Range<usize>) -> Result<Value<'static>>,
) -> Result<Vec<Value<'static>>> {
    (0..rows.count())
        .map(|at| {
            env.checkpoint()?;
            reduce(window.rows(at, rows)?)
        })
        .collect()
}

fn accumulate(
    plan: &super::super::accumulators::AccumulatorPlan,
    window: &Window,
    inputs: &[Value<'static>],
    rows: &Rows<'_>,
    mut results: Made<'_>,
) -> Result<Vec<Value<'static>>> {
    let env = results.env;
    // A window that only grows is added to; any other is gone through anew.
    let start = || -> Result<_> {
        let mut accumulator = plan.start();
        accumulator.begin(ValueRef::Missing, env)?;
        Ok(accumulator)
    };
    let mut accumulator = start()?;
    let mut added = 0;
    for at in 0..rows.count() {
        let range = window.rows(at, rows)?;
        if !window.only_grows() {
            accumulator = start()?;
            added = range.start;
        }
        while added < range.end {
            env.checkpoint()?;
            if let Some(value) = inputs.get(added) {
                accumulator.add_in(value.as_ref(), env)?;
            }
            added += 1;
        }
        let result = match window.only_grows() {
            true => accumulator.finish(env)?,
            false => accumulator.finish_moving(env)?,
        };
        results.push(match result {
            missing if missing.as_ref().is_missing() => Value::NULL,
            value => value,
        })?;
        // A window that only grows and has all rows has them ever after.
        if at == 0 && window.only_grows() && range.end >= rows.count() {
            break;
        }
    }
    Ok(results.values)
}

fn ranks(rows: &Rows<'_>, dense: bool) -> Vec<Value<'static>> {
    let mut ranks = Vec::with_capacity(rows.count());
    let mut rank = 0_i64;
    for at in 0..rows.count() {
        if !rows.is_tied(at) {
            rank = if dense { rank + 1 } else { at as i64 + 1 };
        }
        ranks.push(integer(rank));
    }
    ranks
}

/// A number between two ends as a number between two others.
#[inline(never)]
fn scale(number: Number, from: [Number; 2], to: [Number; 2]) -> Result<Number> {
    if compare(from[0].to_value(), from[1].to_value()).is_eq() {
        return Ok(to[0]);
    }
    let width = |[low, high]: [Number; 2]| numeric::subtract(high, low);
    let share = numeric::divide(numeric::subtract(number, from[0]), width(from))?;
    Ok(numeric::add(numeric::multiply(share, width(to)), to[0]))
}

/// The averages that move, reckoned in decimals, and told in doubles until a decimal was among the numbers.
#[inline(never)]
fn moving_averages(values: Vec<Value<'static>>, alpha: Number) -> Vec<Value<'static>> {
    let rest = numeric::subtract(Number::Int32(1), alpha);
    let mut average: Option<Number> = None;
    let mut is_decimal = false;
    let mut averages = Vec::with_capacity(values.len());
    for value in values {
        if let Some(number) = value.as_ref().as_number() {
            is_decimal |= matches!(number, Number::Decimal128(_));
            average = Some(match average {
                Some(held) => numeric::add(
                    numeric::multiply(number, alpha),
                    numeric::multiply(held, rest),
                ),
                None => number,
            });
        }
        averages.push(average.map_or(Value::NULL, |average| {
            numeric::value_of(match is_decimal {
                true => numeric::decimal(average),
                false => Number::Double(average.to_f64()),
            })
        }));
    }
    averages
}

#[inline(never)]
fn fill(values: Vec<Value<'static>>, sorts: &[Value<'static>]) -> Result<Vec<Value<'static>>> {
    let wrong = |what: &str, found: ValueRef<'_>| {
        let message = format!("{what}, but found {}", found.type_name());
        Err(CommandError::new(Code::TypeMismatch, message))
    };
    let is_date = |sort| matches!(sort, ValueRef::DateTime(_));
    let mut last = ValueRef::Missing;
    for (value, sort) in values.iter().zip(sorts) {
        let (value, sort) = (value.as_ref(), sort.as_ref());
        if value.as_number().is_none() && !value.is_nullish() {
            return wrong("Value to be filled must be numeric or nullish", value);
        }
        if sort.as_number().is_none() && !is_date(sort) {
            return wrong("Value of the sortBy field must be numeric or a date", sort);
        }
        if compare(sort, last).is_eq() {
            return Err(CommandError::location(
                6_050_106,
                "There can be no repeated values in the sort field in the same partition",
            ));
        }
        if !last.is_missing() && is_date(sort) != is_date(last) {
            let last = last.type_name();
            let what = format!("Conflicting sort value types, previously received type {last}");
            return wrong(&what, sort);
        }
        last = sort;
    }
    let point = |at: usize| Some((sorts[at].as_ref(), values[at].as_ref().as_number()?));
    let mut filled = Vec::with_capacity(values.len());
    let mut before = None;
    for (at, value) in values.iter().enumerate() {
        if value.as_ref().as_number().is_some() {
            before = point(at);
            filled.push(value.clone());
            continue;
        }
        filled.push(match (before, (at + 1..values.len()).find_map(point)) {
            (Some(left), Some(right)) => between(left, right, sorts[at].as_ref())?,
            _ => Value::NULL,
        });
    }
    Ok(filled)
}

/// The value at a place on the line between two points.
fn between(
    left: (ValueRef<'_>, Number),
    right: (ValueRef<'_>, Number),
    at: ValueRef<'_>,
) -> Result<Value<'static>> {
    let far = |to| difference(to, left.0).map(|far| far.as_ref().as_number());
    Ok(match (far(at)?, far(right.0)?) {
        (Some(way), Some(whole)) => {
            let slope = numeric::divide(numeric::subtract(right.1, left.1), whole)?;
            numeric::value_of(numeric::add(left.1, numeric::multiply(way, slope)))
        }
        _ => Value::NULL,
    })
}

/// The change of the value between a window's ends over the change of the sort field, by the unit: null without a
/// change of the sort field.
#[inline(never)]
fn slope(
    inputs: &[Value<'static>],
    sorts: &[Value<'static>],
    unit: Option<Unit>,
) -> Result<Value<'static>> {
    let ((Some(first), Some(last)), (Some(low), Some(high))) = (
        (sorts.first(), sorts.last()),
        (inputs.first(), inputs.last()),
    ) else {
        return Ok(Value::NULL);
    };
    let refuse = |code, message: &str| Err(CommandError::location(code, message));
    let ends = [first.as_ref(), last.as_ref()];
    let dates = ends.map(|end| matches!(end, ValueRef::DateTime(_)));
    match unit {
        Some(_) if dates != [true, true] => {
            return refuse(
                5_624_900,
                "$derivative with 'unit' expects the sortBy field to be a Date",
            );
        }
        None if dates != [false, false] => {
            return refuse(
                5_624_901,
                "$derivative where the sortBy is a Date requires an 'unit'",
            );
        }
        None if ends.iter().any(|end| end.as_number().is_none()) => {
            return refuse(
                5_624_902,
                "$derivative (with no 'unit') expects the sortBy field to be numeric",
            );
        }
        _ => {}
    }
    let run = difference(ends[1], ends[0])?;
    let rise = difference(high.as_ref(), low.as_ref())?;
    let (Some(rise), Some(run)) = (rise.as_ref().as_number(), run.as_ref().as_number()) else {
        return refuse(5_624_903, "$derivative input must not be null or missing");
    };
    if run.to_f64() == 0.0 {
        return Ok(Value::NULL);
    }
    let mut slope = numeric::divide(rise, run)?;
    if let Some(unit) = unit {
        slope = numeric::multiply(slope, Number::Int64(unit.length()));
    }
    Ok(numeric::value_of(slope))
}

/// The area below a window's points, by trapezoids.
#[inline(never)]
fn area(
    inputs: &[Value<'static>],
    sorts: &[Value<'static>],
    unit: Option<Unit>,
) -> Result<Value<'static>> {
    if sorts.is_empty() {
        return Ok(Value::NULL);
    }
    let mut sum = Sum::default();
    let mut has_nan = false;
    let mut before: Option<(ValueRef<'_>, Number)> = None;
    for (value, sort) in inputs.iter().zip(sorts) {
        let at = sort.as_ref();
        let date = matches!(at, ValueRef::DateTime(_));
        let number = value
            .as_ref()
            .as_number()
            .filter(|_| date || at.as_number().is_some());
        let Some(number) = number else {
            return Err(CommandError::location(
                5_423_900,
                "The input value of $integral window function must be a vector of 2 value, the first value must be \
                 numeric or date type and the second must be numeric.",
            ));
        };
        match unit {
            Some(_) if !date => {
                return Err(CommandError::location(
                    5_423_901,
                    "$integral with 'unit' expects the sortBy field to be a Date",
                ));
            }
            None if date => {
                return Err(CommandError::location(
                    5_423_902,
                    "$integral (with no 'unit') expects the sortBy field to be numeric",
                ));
            }
            _ => {}
        }
        let is_nan = number.is_nan() || at.as_number().is_some_and(|at| at.is_nan());
        has_nan |= is_nan;
        if let Some((from, low)) = before
            && !is_nan
            && let Some(width) = difference(at, from)?.as_ref().as_number()
        {
            let both = numeric::multiply(numeric::add(low, number), width);
            let trapezoid = numeric::divide(both, Number::Double(2.0))?;
            sum.add(numeric::value_of(trapezoid).as_ref());
        }
        before = Some((at, number));
    }
    if has_nan {
        return Ok(Value::from(f64::NAN));
    }
    let sum = sum.value();
    match (unit, sum.as_ref().as_number()) {
        (Some(unit), Some(area)) => {
            let area = numeric::divide(area, Number::Int64(unit.length()))?;
            Ok(numeric::value_of(area))
        }
        _ => Ok(sum),
    }
}
