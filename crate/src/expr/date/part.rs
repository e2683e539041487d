//! The shape that the operators for one part of a date share: a date, or `{date, timezone}`.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::node::{Call, Function, Lazy, Node, Result, Style};
use super::instant::coerce;
use super::zone::Zone;
use crate::bson::{Value, ValueRef};

/// Compiles the argument of a part operator into date and zone.
pub fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
    function: Lazy,
) -> Result<Node> {
    let arguments = match argument {
        ValueRef::Document(fields)
            if !fields
                .iter()
                .next()
                .is_some_and(|field| field.name.starts_with('$')) =>
        {
            let (mut date, mut zone) = (None, Node::Absent);
            for field in fields.iter() {
                match field.name {
                    "date" => date = Some(compiler.operand(field.value)?),
                    "timezone" => zone = compiler.operand(field.value)?,
                    other => {
                        return Err(error(
                            40535,
                            format!("unrecognized option to {name}: \"{other}\""),
                        ));
                    }
                }
            }
            let date =
                date.ok_or_else(|| error(40539, format!("missing 'date' argument to {name}")))?;
            vec![date, zone]
        }
        ValueRef::Array(items) => {
            if items.len() != 1 {
                return Err(error(
                    40536,
                    format!(
                        "{name} accepts exactly one argument if given an array, but was given {}",
                        items.len()
                    ),
                ));
            }
            vec![compiler.operand(items.get(0))?, Node::Absent]
        }
        other => vec![compiler.operand(other)?, Node::Absent],
    };
    let style = Style::Named(&["date", "timezone"]);
    Ok(compiler.finish(Call::new(name, style, Function::Lazy(function), arguments)))
}

/// The local time of a part operator's arguments; `None` when date or zone is null or missing.
pub fn local(call: &Call, scope: &Scope<'_>) -> Result<Option<i64>> {
    let zone = Zone::of(call.argument(1, scope)?.as_ref(), call.has(1), scope.env)?;
    let date = call.argument(0, scope)?;
    match zone {
        Some(zone) if !date.as_ref().is_nullish() => {
            Ok(Some(zone.to_local(coerce(date.as_ref())?, scope.env)))
        }
        _ => Ok(None),
    }
}

/// The value of a part, or null.
pub fn value(call: &Call, scope: &Scope<'_>, part: fn(i64) -> i64) -> Result<Value<'static>> {
    Ok(match local(call, scope)? {
        Some(local) => Value::from(i32::try_from(part(local)).unwrap_or(i32::MAX)),
        None => Value::NULL,
    })
}
