//! `$top` and `$bottom`: the output of the document that sorts first or last; `$topN` and `$bottomN`: of the n
//! documents.
//!
//! Follows the manual's "(accumulator)" pages of the four.
//! Invariant: each document arrives as one value `{k: [sort values], v: output}`; of equal ranks the
//! earlier document comes first.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use super::ranked::Ranked;
use super::several::Limit;
use crate::bson::{ArrayBuilder, DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::env::{Env, NoEnv};
use crate::error::CommandError;
use crate::expr::{CompileContext, compile as compile_expression};
use std::cmp::Ordering;
use std::rc::Rc;

/// How `$top` takes its argument.
pub const TOP: Form = Form::Custom(|name, argument, context| {
    compile(name, argument, context, Kind::new(false, false))
});

/// How `$topN` takes its argument.
pub const TOP_N: Form = Form::Custom(|name, argument, context| {
    compile(name, argument, context, Kind::new(false, true))
});

/// How `$bottom` takes its argument.
pub const BOTTOM: Form = Form::Custom(|name, argument, context| {
    compile(name, argument, context, Kind::new(true, false))
});

/// How `$bottomN` takes its argument.
pub const BOTTOM_N: Form =
    Form::Custom(|name, argument, context| compile(name, argument, context, Kind::new(true, true)));

/// Which of the four operators.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// Whether the last ranks are kept instead of the first.
    bottom: bool,
    /// Whether `n` is given and the result is an array.
    several: bool,
}

impl Kind {
    const fn new(bottom: bool, several: bool) -> Self {
        Self { bottom, several }
    }
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
    kind: Kind,
) -> Result<AccumulatorPlan> {
    let refuse = |code, message: String| Err(CommandError::location(code, message));
    let ValueRef::Document(fields) = argument else {
        return refuse(
            5_788_001,
            format!("specification must be an object; found {name}: {argument}"),
        );
    };
    let (mut count, mut output, mut pattern) = (ValueRef::Missing, ValueRef::Missing, None);
    for field in fields.iter() {
        match field.name {
            "n" if kind.several => count = field.value,
            "output" => output = field.value,
            "sortBy" => pattern = Some(field.value),
            other => {
                return refuse(5_788_002, format!("Unknown argument to {name} '{other}'"));
            }
        }
    }
    if kind.several && count.is_missing() {
        return refuse(5_788_003, "Missing value for 'n'".to_owned());
    }
    if output.is_missing() {
        return refuse(5_788_004, "Missing value for 'output'".to_owned());
    }
    let Some(pattern) = pattern else {
        return refuse(5_788_005, "Missing value for 'sortBy'".to_owned());
    };
    let ValueRef::Document(pattern) = pattern else {
        return refuse(
            10065,
            "invalid parameter: expected an object (sortBy)".to_owned(),
        );
    };
    crate::query::SortPattern::compile(pattern)?;
    let mut keys = ArrayBuilder::new();
    let mut descending = Vec::new();
    for field in pattern.iter() {
        let is_meta = field.value.as_document().is_some();
        match is_meta {
            true => keys.push(field.value),
            false => keys.push(format!("${}", field.name).as_str()),
        };
        descending.push(is_meta || field.value.as_exact_i64() == Some(-1));
    }
    let mut row = DocumentBuilder::new();
    row.append("k", &keys.finish()).append("v", output);
    let row = row.finish();
    let limit = match kind.several {
        true => Limit::compile(count, context)?,
        false => Rc::new(Limit::Constant(1)),
    };
    let descending: Rc<[bool]> = descending.into();
    let collation = context.collation.clone();
    Ok(AccumulatorPlan {
        name,
        argument: compile_expression(ValueRef::from(&row), context)?,
        specification: argument.to_value(),
        start: Box::new(move || {
            Box::new(State {
                kind,
                limit: Rc::clone(&limit),
                order: Order {
                    descending: Rc::clone(&descending),
                    collation: collation.clone(),
                },
                rows: Ranked::new(kind.bottom),
            })
        }),
    })
}

struct State {
    kind: Kind,
    limit: Rc<Limit>,
    order: Order,
    rows: Ranked,
}

struct Order {
    descending: Rc<[bool]>,
    collation: Collation,
}

impl Order {
    fn rank(&self, left: ValueRef<'_>, right: ValueRef<'_>) -> Ordering {
        let (ValueRef::Array(left), ValueRef::Array(right)) = (left, right) else {
            return Ordering::Equal;
        };
        let pairs = left.iter().zip(right.iter());
        for ((left, right), descending) in pairs.zip(self.descending.iter()) {
            let ordering = self.collation.compare(
                least(left, *descending, &self.collation),
                least(right, *descending, &self.collation),
            );
            if ordering != Ordering::Equal {
                return if *descending {
                    ordering.reverse()
                } else {
                    ordering
                };
            }
        }
        Ordering::Equal
    }
}

/// An array sorts by its least item, descending by its greatest, as in `$sort`.
fn least<'v>(value: ValueRef<'v>, descending: bool, collation: &Collation) -> ValueRef<'v> {
    let ValueRef::Array(items) = value else {
        return value;
    };
    let order = |a: &ValueRef<'_>, b: &ValueRef<'_>| collation.compare(*a, *b);
    let found = if descending {
        items.iter().max_by(order)
    } else {
        items.iter().min_by(order)
    };
    found.unwrap_or(ValueRef::Undefined)
}

impl Accumulator for State {
    fn begin(&mut self, group: ValueRef<'_>, env: &dyn Env) -> Result<()> {
        self.rows.count = self.limit.of(group, env)?;
        Ok(())
    }

    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        let ValueRef::Document(row) = value else {
            return Ok(0);
        };
        // A row without the field that is asked for gives null.
        let output = match row.get("v") {
            ValueRef::Missing => ValueRef::Null,
            output => output,
        };
        let order = &self.order;
        let rank = |left: ValueRef<'_>, right: ValueRef<'_>| order.rank(left, right);
        Ok(self.rows.offer(row.get("k"), output, &rank))
    }

    fn value(&mut self) -> Result<Value<'static>> {
        self.finish(&NoEnv)
    }

    fn finish(&mut self, env: &dyn Env) -> Result<Value<'static>> {
        if self.kind.several {
            let rank = |left: ValueRef<'_>, right: ValueRef<'_>| self.order.rank(left, right);
            return self.rows.values(&rank, env);
        }
        Ok(self.rows.first().cloned().unwrap_or(Value::NULL))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    const DOCUMENTS: &str = "[{a: 2, x: 'b'}, {a: 1, x: 'a'}, {a: 3, x: 'c'}, {a: 3, x: 'd'}]";

    #[test]
    fn one_output() {
        let ranks = |specification: &str, expected: &str| {
            accumulates(specification, DOCUMENTS, expected);
        };
        ranks("{$top: {sortBy: {a: -1}, output: '$x'}}", "'c'");
        ranks("{$top: {sortBy: {a: 1}, output: ['$x', '$a']}}", "['a', 1]");
        ranks("{$bottom: {sortBy: {a: 1}, output: '$x'}}", "'d'");
        refuses("{$top: {sortBy: {a: 1}}}", "[]", 5788004);
        refuses("{$top: {output: 1}}", "[]", 5788005);
        let counted = "{$bottom: {n: 1, sortBy: {a: 1}, output: '$x'}}";
        refuses(counted, "[]", 5788002);
    }

    #[test]
    fn several_outputs() {
        let top = "{$topN: {n: 2, sortBy: {a: 1}, output: '$x'}}";
        accumulates(top, DOCUMENTS, "['a', 'b']");
        let bottom = "{$bottomN: {n: 3, sortBy: {a: 1}, output: '$x'}}";
        accumulates(bottom, DOCUMENTS, "['b', 'c', 'd']");
        refuses("{$topN: {sortBy: {a: 1}, output: '$x'}}", "[]", 5788003);
        refuses("{$bottomN: 5}", "[]", 5788001);
    }
}
