//! The shape that the operators for one part of a date share: a date, or `{date, timezone}`.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::node::{Call, Eager, Function, Node, Result, Style};
use super::instant::coerce;
use super::zone::Zone;
use crate::bson::{Value, ValueRef};
use crate::env::Env;

/// Compiles the argument of a part operator into date and zone.
pub fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
    function: Eager,
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
    Ok(compiler.finish(Call::new(name, style, Function::Eager(function), arguments)))
}

/// The local time of a part operator's arguments; `None` when date or zone is null. An absent zone
/// reads as missing, which stands for UTC here: a null zone is `null`.
pub fn local(arguments: &[Value<'_>], env: &dyn Env) -> Result<Option<i64>> {
    let zone = arguments[1].as_ref();
    let Some(zone) = Zone::of(zone, !zone.is_missing(), env)? else {
        return Ok(None);
    };
    let date = arguments[0].as_ref();
    if date.is_nullish() {
        return Ok(None);
    }
    Ok(Some(zone.to_local(coerce(date)?, env)))
}

/// The value of a part, or null.
pub fn value(
    arguments: &[Value<'_>],
    env: &dyn Env,
    part: fn(i64) -> i64,
) -> Result<Value<'static>> {
    Ok(match local(arguments, env)? {
        Some(local) => Value::from(i32::try_from(part(local)).unwrap_or(i32::MAX)),
        None => Value::NULL,
    })
}
