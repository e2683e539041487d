//! The variables of `$filter`, `$map` and `$reduce`: an item, its position, and what `$reduce` has made so far.

use super::super::compile::{Compiler, check_variable_for_write};
use super::super::context::Frame;
use super::super::node::{Bindings, Node, Result};
use crate::bson::ValueRef;
use crate::error::{Code, CommandError};

/// The name that a variable was given by a field, or its usual one.
///
/// # Errors
/// 9 `FailedToParse` for a value that is no string, and the codes of a name that no variable may have.
pub fn name<'b>(
    operator: &str,
    field: &str,
    given: ValueRef<'b>,
    usual: &'static str,
) -> Result<&'b str> {
    let name = match given {
        ValueRef::Missing => return Ok(usual),
        ValueRef::String(name) => name.checked()?,
        other => {
            return Err(CommandError::new(
                Code::FailedToParse,
                format!(
                    "{operator} requires '{field}' to be a string, found: {}",
                    other.type_name()
                ),
            ));
        }
    };
    check_variable_for_write(name)?;
    Ok(name)
}

/// Compiles an expression inside variables. The last of them is an item's position: it is left out where its name is
/// the usual one and nothing reads it.
///
/// # Errors
/// `repeated` where two variables have one name.
pub fn compile(
    names: &[&str],
    body: ValueRef<'_>,
    repeated: i32,
    compiler: &mut Compiler<'_>,
) -> Result<(Bindings, Node)> {
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(CommandError::location(
                repeated,
                format!("The name '{name}' was given to two variables"),
            ));
        }
    }
    let (mut variables, body) =
        compiler.with_variables(names, |compiler| compiler.operand(body))?;
    if let Some((name, position)) = variables.last() {
        let mut is_read = &**name != "IDX";
        body.visit(&mut |node| {
            is_read |= matches!(node, Node::Variable { slot, .. } if slot == position);
        });
        if !is_read {
            variables.pop();
        }
    }
    Ok((variables, body))
}

/// Binds the position of an item to the variable that stands at `place`, if there is one.
pub fn position<'v>(
    variables: &Bindings,
    place: usize,
    position: usize,
    outer: Option<&'v Frame<'v>>,
) -> Option<Frame<'v>> {
    let (_, slot) = variables.get(place)?;
    let position = ValueRef::Int32(i32::try_from(position).unwrap_or(i32::MAX));
    Some(Frame::new(*slot, position, outer))
}
