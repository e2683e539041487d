//! `$zip`: arrays transposed into an array of rows.
//!
//! Follows the manual's "$zip" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::{Form, Names};
use super::super::growth::allow_array;
use super::super::node::{Call, Function, Node, Result, Style};
use crate::bson::{Array, ArrayBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["inputs", "defaults", "useLongestLength"],
    missing: &[34465],
    not_object: 34460,
    unknown: 34464,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    let mut arguments = Vec::new();
    for item in list(parts[0], 34461, "inputs")?.iter() {
        arguments.push(compiler.operand(item)?);
    }
    let inputs = arguments.len();
    for item in list(parts[1], 34462, "defaults")?.iter() {
        arguments.push(compiler.operand(item)?);
    }
    let longest = match parts[2] {
        ValueRef::Missing => false,
        ValueRef::Boolean(longest) => longest,
        other => {
            return Err(error(
                34463,
                format!(
                    "useLongestLength must be a bool, found {}",
                    other.type_name()
                ),
            ));
        }
    };
    let defaults = arguments.len() - inputs;
    if inputs == 0 {
        return Err(error(34465, "$zip requires at least one input array"));
    }
    if defaults > 0 && !longest {
        return Err(error(
            34466,
            "cannot specify defaults unless useLongestLength is true",
        ));
    }
    if defaults > 0 && defaults != inputs {
        return Err(error(
            34467,
            "defaults and inputs must have the same length",
        ));
    }
    let mut call = Call::new(name, Style::Zip, Function::Lazy(evaluate), arguments);
    call.constant = Value::from(i32::try_from(inputs).unwrap_or(i32::MAX));
    if longest {
        call.variables.push(("useLongestLength".into(), usize::MAX));
    }
    Ok(compiler.finish(call))
}

fn list<'b>(value: ValueRef<'b>, code: i32, what: &str) -> Result<Array<'b>> {
    match value {
        ValueRef::Missing => Ok(Array::EMPTY),
        ValueRef::Array(array) => Ok(array),
        other => Err(error(
            code,
            format!(
                "{what} must be an array of expressions, found {}",
                other.type_name()
            ),
        )),
    }
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let inputs = match call.constant.as_ref() {
        ValueRef::Int32(inputs) => usize::try_from(inputs).unwrap_or(0),
        _ => 0,
    };
    let longest = !call.variables.is_empty();
    let mut columns = Vec::new();
    for position in 0..inputs {
        let value = call.argument(position, scope)?;
        match value.as_ref() {
            found if found.is_nullish() => return Ok(Value::NULL),
            ValueRef::Array(_) => {}
            other => {
                return Err(error(
                    34468,
                    format!(
                        "$zip found a non-array expression in input: {}",
                        other.type_name()
                    ),
                ));
            }
        }
        columns.push(value);
    }
    // Columns are walked side by side: a list of each column's items takes several times the room of the column.
    let mut walks = Vec::with_capacity(columns.len());
    for column in &columns {
        if let ValueRef::Array(array) = column.as_ref() {
            walks.push(array.iter());
        }
    }
    let mut row = Vec::with_capacity(walks.len());
    let mut table = ArrayBuilder::new();
    loop {
        row.clear();
        row.extend(walks.iter_mut().map(Iterator::next));
        let goes_on = match longest {
            true => row.iter().any(Option::is_some),
            false => row.iter().all(Option::is_some),
        };
        if !goes_on {
            break;
        }
        let mut items = ArrayBuilder::new();
        for (position, item) in row.iter().enumerate() {
            allow_array(scope.env, call.name, table.byte_len() + items.byte_len())?;
            match item {
                Some(item) => {
                    items.push(*item);
                }
                None => {
                    items.push(call.argument(inputs + position, scope)?.as_ref());
                }
            }
        }
        table.push(&items.finish());
    }
    Ok(Value::Array(table.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn transposes() {
        evaluates(
            "{$zip: {inputs: [[1, 2], ['a', 'b', 'c']]}}",
            "{}",
            "[[1, 'a'], [2, 'b']]",
        );
        evaluates(
            "{$zip: {inputs: [[1], ['a', 'b']], useLongestLength: true, defaults: [0, 'z']}}",
            "{}",
            "[[1, 'a'], [0, 'b']]",
        );
        evaluates(
            "{$zip: {inputs: [[1], ['a', 'b']], useLongestLength: true}}",
            "{}",
            "[[1, 'a'], [null, 'b']]",
        );
        evaluates("{$zip: {inputs: ['$x']}}", "{}", "null");
        fails("{$zip: {inputs: [1]}}", "{}", 34468);
        fails("{$zip: {inputs: [[1]], defaults: [1]}}", "{}", 34466);
    }
}
