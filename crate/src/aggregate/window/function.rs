//! The functions of a window: accumulators, ranks, shifts, fills, averages and rates.
//!
//! Follows the "Window Operators" list of the manual's "$setWindowFields" page.

use super::super::accumulators::{AccumulatorPlan, table};
use super::bounds::{Window, parse_unit};
use crate::bson::{Document, Number, Value, ValueRef, compare};
use crate::error::{Code, CommandError};
use crate::expr::arithmetic::numeric;
use crate::expr::date::unit::Unit;
use crate::expr::{CompileContext, Expression, compile as compile_expression};

type Result<T> = std::result::Result<T, CommandError>;

/// Accumulators that windows take, sorted.
const ACCUMULATORS: &[&str] = &[
    "$addToSet",
    "$avg",
    "$bottom",
    "$bottomN",
    "$concatArrays",
    "$count",
    "$first",
    "$firstN",
    "$last",
    "$lastN",
    "$max",
    "$maxN",
    "$median",
    "$mergeObjects",
    "$min",
    "$minN",
    "$percentile",
    "$push",
    "$setUnion",
    "$stdDevPop",
    "$stdDevSamp",
    "$sum",
    "$top",
    "$topN",
];

/// The operators that only windows have, sorted.
pub const OPERATORS: &[&str] = &[
    "$covariancePop",
    "$covarianceSamp",
    "$denseRank",
    "$derivative",
    "$documentNumber",
    "$expMovingAvg",
    "$integral",
    "$linearFill",
    "$locf",
    "$minMaxScaler",
    "$rank",
    "$shift",
];

/// A compiled function.
pub enum Function {
    Accumulator(AccumulatorPlan, Window),
    DocumentNumber,
    Rank {
        dense: bool,
    },
    Shift {
        output: Expression,
        by: i64,
        default: Value<'static>,
    },
    /// The last value that was not null.
    LastCarried(Expression),
    /// Nulls between two values, by the sort field's distance.
    LinearFill(Expression),
    MovingAverage {
        input: Expression,
        alpha: Number,
    },
    Covariance {
        pair: Expression,
        sample: bool,
        window: Window,
    },
    /// Where a number lies between the least and the greatest of its window, as a place in another range.
    Scaled {
        input: Expression,
        /// The least and the greatest.
        ends: Box<[AccumulatorPlan; 2]>,
        to: [Number; 2],
        window: Window,
    },
    Derivative {
        input: Expression,
        unit: Option<Unit>,
        window: Window,
    },
    Integral {
        input: Expression,
        unit: Option<Unit>,
        window: Window,
    },
}

impl Function {
    /// The expression evaluated for each document.
    pub fn input(&self) -> Option<&Expression> {
        match self {
            Self::Accumulator(plan, _) => Some(&plan.argument),
            Self::DocumentNumber | Self::Rank { .. } => None,
            Self::Shift { output: input, .. }
            | Self::LastCarried(input)
            | Self::LinearFill(input)
            | Self::MovingAverage { input, .. }
            | Self::Covariance { pair: input, .. }
            | Self::Scaled { input, .. }
            | Self::Derivative { input, .. }
            | Self::Integral { input, .. } => Some(input),
        }
    }

    /// Whether the values of the sort field are needed, beyond their order.
    pub fn reads_sorts(&self) -> bool {
        match self {
            Self::Accumulator(_, window)
            | Self::Covariance { window, .. }
            | Self::Scaled { window, .. } => window.reads_sorts(),
            Self::LinearFill(_) | Self::Derivative { .. } | Self::Integral { .. } => true,
            _ => false,
        }
    }
}

/// The sort of the stage, as far as it decides which functions are allowed.
#[derive(Debug, Clone, Copy)]
pub struct Sorting {
    /// How many fields the sort has.
    pub fields: usize,
    /// Whether it is one ascending field.
    pub simple: bool,
}

fn parse_error<T>(message: impl Into<String>) -> Result<T> {
    Err(CommandError::new(Code::FailedToParse, message))
}

/// Compiles `{$function: argument, window: …}` of a field.
///
/// # Errors
/// For an unknown function, and each function's errors about its arguments and the sort.
pub fn compile(
    field: &str,
    value: ValueRef<'_>,
    sorting: Sorting,
    context: &CompileContext<'_>,
) -> Result<Function> {
    let ValueRef::Document(specification) = value else {
        return parse_error(format!(
            "The field '{field}' must be an object that specifies a window function"
        ));
    };
    let (mut bounds, mut function) = (None, None);
    for part in specification.iter() {
        match part.name {
            "window" => bounds = Some(part.value),
            name if name.starts_with('$') && function.is_none() => function = Some(part),
            name => {
                return parse_error(format!("Window function found an unknown argument: {name}"));
            }
        }
    }
    let Some(function) = function else {
        return parse_error("Expected a $-prefixed window function");
    };
    let name = function.name;
    if matches!(name, "$derivative" | "$integral") && sorting.fields != 1 {
        return parse_error(match sorting.fields {
            0 => format!("{name} requires a sortBy"),
            _ => format!("{name} requires a non-compound sortBy"),
        });
    }
    let parse = |bounds| Window::parse(bounds, sorting.fields > 0, sorting.simple);
    let window = bounds.map(parse).transpose()?;
    if ACCUMULATORS.binary_search(&name).is_ok() {
        let plan = table::compile_named(name, function.value, context)?;
        return Ok(Function::Accumulator(plan, window.unwrap_or(Window::ALL)));
    }
    if OPERATORS.binary_search(&name).is_err() {
        return parse_error(format!("Unrecognized window function, {name}"));
    }
    let windowed = matches!(
        name,
        "$covariancePop" | "$covarianceSamp" | "$derivative" | "$integral" | "$minMaxScaler"
    );
    if window.is_some() && !windowed {
        return match name {
            "$shift" => parse_error("$shift does not accept a 'window' field"),
            "$expMovingAvg" => parse_error(ONE_OBJECT),
            "$linearFill" | "$locf" => {
                parse_error(format!("'window' field is not allowed in {name}"))
            }
            _ => Err(CommandError::location(
                5_371_601,
                "Rank style window functions take no other arguments",
            )),
        };
    }
    let operator = Operator {
        name,
        argument: function.value,
        window: window.clone().unwrap_or(Window::ALL),
        has_window: window.is_some(),
    };
    operator.compile(sorting, context)
}

const TWO_FIELDS: &str = "$expMovingAvg sub object must have exactly two fields: An 'input' field, \
                          and either an 'N' field or an 'alpha' field";
const ONE_OBJECT: &str = "$expMovingAvg must have exactly one argument that is an object";

struct Operator<'a> {
    name: &'a str,
    argument: ValueRef<'a>,
    window: Window,
    has_window: bool,
}

impl Operator<'_> {
    fn compile(self, sorting: Sorting, context: &CompileContext<'_>) -> Result<Function> {
        let name = self.name;
        let ranks = matches!(name, "$documentNumber" | "$rank" | "$denseRank");
        if ranks && !self.argument.as_document().is_some_and(Document::is_empty) {
            return Err(CommandError::location(
                5_371_603,
                format!("{name} must be specified with '{{}}' as the value"),
            ));
        }
        if (ranks || name == "$linearFill") && sorting.fields != 1 {
            return Err(CommandError::location(
                if ranks { 5_371_602 } else { 605_001 },
                format!(
                    "{name} must be specified with a top level sortBy expression with exactly one \
                     element"
                ),
            ));
        }
        match name {
            "$documentNumber" => Ok(Function::DocumentNumber),
            "$rank" | "$denseRank" => Ok(Function::Rank {
                dense: name == "$denseRank",
            }),
            "$locf" => Ok(Function::LastCarried(compile_expression(
                self.argument,
                context,
            )?)),
            "$linearFill" => Ok(Function::LinearFill(compile_expression(
                self.argument,
                context,
            )?)),
            "$shift" => {
                let shift = self.shift(context)?;
                if sorting.fields == 0 {
                    return parse_error("'$shift' requires a sortBy");
                }
                Ok(shift)
            }
            "$expMovingAvg" => self.moving_average(sorting, context),
            "$derivative" | "$integral" => self.rate(context),
            "$minMaxScaler" => self.scaler(context),
            _ => Ok(Function::Covariance {
                pair: compile_expression(self.argument, context)?,
                sample: name == "$covarianceSamp",
                window: self.window,
            }),
        }
    }

    fn fields(&self, names: &[&str]) -> Result<Vec<ValueRef<'_>>> {
        let ValueRef::Document(fields) = self.argument else {
            return parse_error(match self.name {
                "$shift" => "Argument to $shift must be an object".to_owned(),
                "$expMovingAvg" => ONE_OBJECT.to_owned(),
                name => format!(
                    "{name} expects an object, but got a {}: {name}: {}",
                    self.argument.type_name(),
                    self.argument
                ),
            });
        };
        for field in fields.iter() {
            if !names.contains(&field.name) {
                return parse_error(match self.name {
                    "$shift" => "Unknown argument in $shift".to_owned(),
                    "$expMovingAvg" => TWO_FIELDS.to_owned(),
                    name => format!("{name} got unexpected argument: {}", field.name),
                });
            }
        }
        Ok(names.iter().map(|name| fields.get(name)).collect())
    }

    fn shift(&self, context: &CompileContext<'_>) -> Result<Function> {
        let parts = self.fields(&["output", "by", "default"])?;
        if parts[0].is_missing() {
            return parse_error("$shift requires an 'output' expression.");
        }
        if parts[1].is_missing() {
            return parse_error("$shift requires 'by' as an integer value.");
        }
        let Some(by) = parts[1].as_exact_i64() else {
            return parse_error(format!(
                "'$shift:by' field must be an integer, but found  by: {}",
                parts[1]
            ));
        };
        let default = match parts[2] {
            ValueRef::Missing => Value::NULL,
            value => match compile_expression(value, context)?.as_constant() {
                Some(constant) => constant.clone(),
                None => {
                    return parse_error("'$shift:default' expression must yield a constant value.");
                }
            },
        };
        Ok(Function::Shift {
            output: compile_expression(parts[0], context)?,
            by,
            default,
        })
    }

    fn moving_average(&self, sorting: Sorting, context: &CompileContext<'_>) -> Result<Function> {
        let parts = self.fields(&["input", "N", "alpha"])?;
        let (count, alpha) = (parts[1], parts[2]);
        if parts[0].is_missing() || count.is_missing() == alpha.is_missing() {
            return parse_error(TWO_FIELDS);
        }
        if sorting.fields == 0 {
            return parse_error("$expMovingAvg requires an explicit 'sortBy'");
        }
        let alpha = if alpha.is_missing() {
            if count.as_number().is_none() {
                return parse_error(format!(
                    "'N' field must be an integer, but found type {}",
                    count.type_name()
                ));
            }
            match count.as_exact_i64() {
                Some(count) if count > 0 => {
                    let terms = numeric::add(Number::Int64(count), Number::Int32(1));
                    numeric::divide(numeric::decimal(Number::Int32(2)), terms)?
                }
                Some(count) => {
                    return parse_error(format!("'N' must be greater than zero. Got {count}"));
                }
                None => {
                    return parse_error(format!(
                        "'N' field must be an integer, but found  N: {count}. To use a \
                         non-integer, use the 'alpha' argument instead"
                    ));
                }
            }
        } else {
            match alpha.as_number() {
                Some(alpha) if alpha.to_f64() > 0.0 && alpha.to_f64() < 1.0 => {
                    numeric::decimal(alpha)
                }
                Some(_) => {
                    return parse_error(format!(
                        "'alpha' must be between 0 and 1 (exclusive), found alpha: {alpha}"
                    ));
                }
                None => return parse_error("'alpha' must be a number"),
            }
        };
        Ok(Function::MovingAverage {
            input: compile_expression(parts[0], context)?,
            alpha,
        })
    }

    fn scaler(self, context: &CompileContext<'_>) -> Result<Function> {
        let is_expression = self.argument.as_document().is_none_or(|fields| {
            let first = fields.iter().next();
            first.is_some_and(|field| field.name.starts_with('$'))
        });
        let (input, ends) = match is_expression {
            true => (self.argument, [ValueRef::Missing; 2]),
            false => match self.fields(&["input", "min", "max"])?[..] {
                [input, min, max] => (input, [min, max]),
                _ => (ValueRef::Missing, [ValueRef::Missing; 2]),
            },
        };
        if input.is_missing() {
            return parse_error("$minMaxScaler requires an 'input' expression");
        }
        let to = match ends {
            [ValueRef::Missing, ValueRef::Missing] => [Number::Int32(0), Number::Int32(1)],
            [min, max] => [
                self.end("min", min, context)?,
                self.end("max", max, context)?,
            ],
        };
        if compare(to[0].to_value(), to[1].to_value()).is_ge() {
            return parse_error(
                "the 'max' must be strictly greater than 'min', as arguments to $minMaxScaler",
            );
        }
        if !self.window.holds_its_row() {
            return parse_error(
                "The bounds of $minMaxScaler must have the current document between them: the lower must not be \
                 greater than 0, the upper not less",
            );
        }
        let plan = |name| table::compile_named(name, ValueRef::Null, context);
        Ok(Function::Scaled {
            input: compile_expression(input, context)?,
            ends: Box::new([plan("$min")?, plan("$max")?]),
            to,
            window: self.window,
        })
    }

    /// One end of the range that `$minMaxScaler` gives.
    fn end(&self, name: &str, value: ValueRef<'_>, context: &CompileContext<'_>) -> Result<Number> {
        if value.is_missing() {
            return parse_error(
                "Only one of 'min' and 'max' were specified as an argument to $minMaxScaler. Neither or both must be \
                 specified",
            );
        }
        let compiled = compile_expression(value, context)?;
        match compiled
            .as_constant()
            .map(|value| value.as_ref().as_number())
        {
            Some(Some(number)) => Ok(number),
            Some(None) => parse_error(format!(
                "'{name}' argument to $minMaxScaler must be a numeric type"
            )),
            None => parse_error(format!(
                "'{name}' argument to $minMaxScaler must be a constant"
            )),
        }
    }

    fn rate(&self, context: &CompileContext<'_>) -> Result<Function> {
        let parts = self.fields(&["input", "unit"])?;
        if parts[0].is_missing() {
            return parse_error(format!("{} requires an 'input' expression", self.name));
        }
        let input = compile_expression(parts[0], context)?;
        let unit = match parts[1] {
            ValueRef::Missing => None,
            value => match parse_unit(value)? {
                Unit::Months(_) => {
                    return Err(CommandError::location(
                        5_490_710,
                        "unit must be 'week' or smaller",
                    ));
                }
                unit => Some(unit),
            },
        };
        let window = self.window.clone();
        if self.name == "$derivative" {
            if !self.has_window {
                return parse_error("$derivative requires explicit window bounds");
            }
            return Ok(Function::Derivative {
                input,
                unit,
                window,
            });
        }
        Ok(Function::Integral {
            input,
            unit,
            window,
        })
    }
}
