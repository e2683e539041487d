//! Evaluates a window function over one partition.

use super::bounds::Window;
use super::function::Function;
use super::partition::Row;
use crate::bson::{Number, Value, ValueRef};
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::date::unit::Unit;
use crate::expr::{Expression, Scope};

type Result<T> = std::result::Result<T, CommandError>;

/// The function's value for each row.
///
/// # Errors
/// What its expressions and its window say.
pub fn evaluate(function: &Function, rows: &[Row], env: &dyn Env) -> Result<Vec<Value<'static>>> {
    let values = |expression: &Expression| -> Result<Vec<Value<'static>>> {
        let mut values = Vec::with_capacity(rows.len());
        for row in rows {
            let scope = Scope::of(ValueRef::from(&row.document), env);
            values.push(expression.evaluate(&scope)?.into_owned());
        }
        Ok(values)
    };
    Ok(match function {
        Function::Accumulator(plan, window) => {
            let inputs = values(&plan.argument)?;
            accumulate(plan, window, &inputs, rows)?
        }
        Function::DocumentNumber => (1..=rows.len() as i64).map(integer).collect(),
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
                    .unwrap_or(default)
                    .clone()
            };
            (0..rows.len()).map(shifted).collect()
        }
        Function::LastCarried(expression) => {
            let mut last = Value::NULL;
            let mut carried = Vec::with_capacity(rows.len());
            for value in values(expression)? {
                if !value.as_ref().is_nullish() {
                    last = value;
                }
                carried.push(last.clone());
            }
            carried
        }
        Function::LinearFill(expression) => fill(values(expression)?, rows)?,
        Function::MovingAverage { input, alpha } => {
            let mut average: Option<f64> = None;
            let mut averages = Vec::with_capacity(rows.len());
            for value in values(input)? {
                if let Some(number) = value.as_ref().as_number().map(Number::to_f64) {
                    average = Some(match average {
                        Some(held) => number * alpha + held * (1.0 - alpha),
                        None => number,
                    });
                }
                averages.push(average.map_or(Value::NULL, Value::from));
            }
            averages
        }
        Function::Covariance {
            pair,
            sample,
            window,
        } => {
            let pairs = values(pair)?;
            by_window(window, rows, &|range| covariance(&pairs[range], *sample))?
        }
        Function::Derivative {
            input,
            unit,
            window,
        } => {
            let inputs = values(input)?;
            let points = points(&inputs, rows, *unit, "$derivative")?;
            by_window(window, rows, &|range| slope(&points[range]))?
        }
        Function::Integral {
            input,
            unit,
            window,
        } => {
            let inputs = values(input)?;
            let points = points(&inputs, rows, *unit, "$integral")?;
            by_window(window, rows, &|range| area(&points[range]))?
        }
    })
}

fn integer(number: i64) -> Value<'static> {
    crate::expr::arguments::int_or_long(number)
}

fn by_window(
    window: &Window,
    rows: &[Row],
    reduce: &dyn Fn(std::ops::Range<usize>) -> Value<'static>,
) -> Result<Vec<Value<'static>>> {
    (0..rows.len())
        .map(|at| Ok(reduce(window.rows(at, rows)?)))
        .collect()
}

fn accumulate(
    plan: &super::super::accumulators::AccumulatorPlan,
    window: &Window,
    inputs: &[Value<'static>],
    rows: &[Row],
) -> Result<Vec<Value<'static>>> {
    let mut results = Vec::with_capacity(rows.len());
    // A window that only grows is added to; any other is gone through anew.
    let mut accumulator = plan.start();
    let mut added = 0;
    for at in 0..rows.len() {
        let range = window.rows(at, rows)?;
        if !window.only_grows() {
            accumulator = plan.start();
            added = range.start;
        }
        while added < range.end {
            if let Some(value) = inputs.get(added) {
                accumulator.add(value.as_ref())?;
            }
            added += 1;
        }
        results.push(match accumulator.value()? {
            missing if missing.as_ref().is_missing() => Value::NULL,
            value => value,
        });
    }
    Ok(results)
}

fn ranks(rows: &[Row], dense: bool) -> Vec<Value<'static>> {
    let mut ranks = Vec::with_capacity(rows.len());
    let mut rank = 0_i64;
    for (at, row) in rows.iter().enumerate() {
        let tied = at > 0 && rows[at - 1].key == row.key;
        if !tied {
            rank = if dense { rank + 1 } else { at as i64 + 1 };
        }
        ranks.push(integer(rank));
    }
    ranks
}

/// Where a row lies on the sort field's axis.
fn position(row: &Row, name: &str) -> Result<f64> {
    match row.sort.as_ref() {
        ValueRef::DateTime(millis) => Ok(millis as f64),
        value => value.as_number().map(Number::to_f64).ok_or_else(|| {
            CommandError::location(
                5_624_902,
                format!(
                    "{name} requires the sortBy field to be a number or a date, found {}",
                    value.type_name()
                ),
            )
        }),
    }
}

fn fill(values: Vec<Value<'static>>, rows: &[Row]) -> Result<Vec<Value<'static>>> {
    let mut filled = Vec::with_capacity(values.len());
    let mut before: Option<(f64, f64)> = None;
    for (at, value) in values.iter().enumerate() {
        if let Some(number) = value.as_ref().as_number() {
            before = Some((position(&rows[at], "$linearFill")?, number.to_f64()));
            filled.push(value.clone());
            continue;
        }
        if !value.as_ref().is_nullish() {
            return Err(CommandError::location(
                5_371_201,
                "Value to be filled must be numeric or nullish",
            ));
        }
        let next = (at + 1..values.len())
            .find_map(|next| Some((next, values[next].as_ref().as_number()?.to_f64())));
        filled.push(match (before, next) {
            (Some((x, y)), Some((next, until))) => {
                let span = position(&rows[next], "$linearFill")? - x;
                let share = (position(&rows[at], "$linearFill")? - x) / span;
                Value::from(y + (until - y) * share)
            }
            _ => Value::NULL,
        });
    }
    Ok(filled)
}

/// Position and value of each row, positions in the unit.
fn points(
    inputs: &[Value<'static>],
    rows: &[Row],
    unit: Option<Unit>,
    name: &str,
) -> Result<Vec<(f64, Option<f64>)>> {
    let mut points = Vec::with_capacity(rows.len());
    for (value, row) in inputs.iter().zip(rows) {
        let date = matches!(row.sort.as_ref(), ValueRef::DateTime(_));
        if date != unit.is_some() {
            let (code, message) = match (name, date) {
                ("$derivative", false) => (
                    5_624_900,
                    "$derivative with 'unit' expects the sortBy field to be a Date",
                ),
                ("$derivative", true) => (
                    5_624_901,
                    "$derivative where the sortBy is a Date requires an 'unit'",
                ),
                (_, false) => (
                    5_423_901,
                    "$integral with 'outputUnit' expects the sortBy field to be a Date",
                ),
                (_, true) => (
                    5_423_902,
                    "$integral (with no 'outputUnit') expects the sortBy field to be numeric",
                ),
            };
            return Err(CommandError::location(code, message));
        }
        let scale = unit.map_or(1.0, |unit| unit.length() as f64);
        let number = match value.as_ref() {
            ValueRef::DateTime(millis) => Some(millis as f64),
            value => value.as_number().map(Number::to_f64),
        };
        points.push((position(row, name)? / scale, number));
    }
    Ok(points)
}

fn slope(points: &[(f64, Option<f64>)]) -> Value<'static> {
    match (points.first(), points.last()) {
        (Some((from, Some(low))), Some((to, Some(high)))) if points.len() > 1 && to > from => {
            Value::from((high - low) / (to - from))
        }
        _ => Value::NULL,
    }
}

fn area(points: &[(f64, Option<f64>)]) -> Value<'static> {
    if points.is_empty() {
        return Value::NULL;
    }
    let mut area = 0.0;
    for pair in points.windows(2) {
        if let [(from, Some(low)), (to, Some(high))] = pair {
            area += (to - from) * (low + high) / 2.0;
        }
    }
    Value::from(area)
}

fn covariance(pairs: &[Value<'static>], sample: bool) -> Value<'static> {
    let mut numbers = Vec::new();
    for pair in pairs {
        if let ValueRef::Array(items) = pair.as_ref()
            && let (Some(x), Some(y)) = (items.get(0).as_number(), items.get(1).as_number())
        {
            numbers.push((x.to_f64(), y.to_f64()));
        }
    }
    let count = numbers.len() as f64;
    let degrees = if sample { count - 1.0 } else { count };
    if degrees <= 0.0 {
        return Value::NULL;
    }
    let mean = |part: fn(&(f64, f64)) -> f64| numbers.iter().map(part).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum: f64 = { numbers.iter() }
        .map(|(x, y)| (x - x_mean) * (y - y_mean))
        .sum();
    Value::from(sum / degrees)
}
