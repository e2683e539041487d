//! `$sortArray`: an array sorted by its items or by fields of them.
//!
//! Follows the manual's "$sortArray" page. Invariant: the sort is stable.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::{Form, Names};
use super::super::node::{Call, Function, Node, Result, Style};
use super::super::path::FieldPath;
use super::several::{collect, list};
use crate::algorithms::sorting;
use crate::bson::{Document, Value, ValueRef};
use crate::collation::Collation;
use std::cmp::Ordering;

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "sortBy"],
    missing: &[2_942_502, 2_942_503],
    not_object: 2_942_500,
    unknown: 2_942_501,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    let input = compiler.operand(parts[0])?;
    match parts[1] {
        ValueRef::Document(pattern) => check_pattern(pattern)?,
        value if value.as_number().is_some() => {
            if direction(value).is_none() {
                return Err(error(
                    2_942_506,
                    "The $sort element value must be either 1 or -1",
                ));
            }
        }
        _ => {
            return Err(error(
                2_942_507,
                "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort \
                 embedded fields",
            ));
        }
    }
    let style = Style::Named(NAMES.names);
    let mut call = Call::new(name, style, Function::Lazy(evaluate), vec![input]);
    call.constant = parts[1].to_value();
    Ok(compiler.finish(call))
}

fn direction(value: ValueRef<'_>) -> Option<bool> {
    match value.as_exact_i64() {
        Some(1) => Some(false),
        Some(-1) => Some(true),
        _ => None,
    }
}

fn check_pattern(pattern: Document<'_>) -> Result<()> {
    let refuse = |reason: String| Err(error(2_942_505, reason));
    if pattern.is_empty() {
        return refuse("The sort pattern is empty when it should be a set of fields.".to_owned());
    }
    for field in pattern.iter() {
        if direction(field.value).is_none() {
            return refuse("The $sort element value must be either 1 or -1".to_owned());
        }
        if field.name.is_empty() || field.name.split('.').any(str::is_empty) {
            return refuse(format!(
                "The $sort field is a dotted field but has an empty part: {}",
                field.name
            ));
        }
        if field.name.starts_with('$') {
            return refuse(format!(
                "FieldPath field names may not start with '$': {}",
                field.name
            ));
        }
    }
    Ok(())
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let input = call.argument(0, scope)?;
    let array = match input.as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::Array(array) => array,
        other => {
            return Err(error(
                2_942_504,
                format!(
                    "The input argument to $sortArray must be an array, but was of type: {}",
                    other.type_name()
                ),
            ));
        }
    };
    let mut items = list(array, scope.env)?;
    match call.constant.as_ref() {
        ValueRef::Document(pattern) => {
            let mut keys = Vec::new();
            for field in pattern.iter() {
                let descending = direction(field.value).unwrap_or(false);
                keys.push((FieldPath::parse(field.name)?, descending));
            }
            sorting::sort_asking(scope.env, &mut items, &mut |a, b| {
                by_fields(&keys, &call.collation, *a, *b)
            })?;
        }
        order => {
            let descending = direction(order).unwrap_or(false);
            sorting::sort_asking(scope.env, &mut items, &mut |a, b| {
                directed(call.collation.compare(*a, *b), descending)
            })?;
        }
    }
    collect(items.into_iter(), call.invocation(scope.env))
}

fn directed(ordering: Ordering, descending: bool) -> Ordering {
    if descending {
        ordering.reverse()
    } else {
        ordering
    }
}

fn by_fields(
    keys: &[(FieldPath, bool)],
    collation: &Collation,
    a: ValueRef<'_>,
    b: ValueRef<'_>,
) -> Ordering {
    let part = |path: &FieldPath, value: ValueRef<'_>| match path.evaluate(value).into_owned() {
        missing if missing.as_ref().is_missing() => Value::NULL,
        found => found,
    };
    for (path, descending) in keys {
        let ordering = collation.compare(part(path, a).as_ref(), part(path, b).as_ref());
        if ordering != Ordering::Equal {
            return directed(ordering, *descending);
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn sorts_by_items_and_by_fields() {
        evaluates(
            "{$sortArray: {input: '$a', sortBy: 1}}",
            "{a: [3, 'x', 1]}",
            "[1, 3, 'x']",
        );
        evaluates(
            "{$sortArray: {input: '$a', sortBy: -1}}",
            "{a: [1, 2]}",
            "[2, 1]",
        );
        evaluates(
            "{$sortArray: {input: '$a', sortBy: {x: 1, y: -1}}}",
            "{a: [{x: 2, y: 1}, {x: 1, y: 1}, {x: 1, y: 2}]}",
            "[{x: 1, y: 2}, {x: 1, y: 1}, {x: 2, y: 1}]",
        );
        evaluates("{$sortArray: {input: '$z', sortBy: 1}}", "{}", "null");
        fails("{$sortArray: {input: 5, sortBy: 1}}", "{}", 2942504);
        fails("{$sortArray: {input: [], sortBy: 2}}", "{}", 2942506);
        fails("{$sortArray: {input: [], sortBy: 'x'}}", "{}", 2942507);
    }
}
