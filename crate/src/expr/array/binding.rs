//! Compiles an input and the expression evaluated per item, for `$filter` and `$map`.

use super::super::compile::{Compiler, check_variable_for_write};
use super::super::node::{Bindings, Node, Result};
use crate::bson::ValueRef;
use crate::error::{Code, CommandError};

/// Compiles `input` outside and `body` inside the variable that `name` names (`this` by default).
pub fn compile(
    operator: &str,
    input: ValueRef<'_>,
    name: ValueRef<'_>,
    body: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<(Node, Bindings, Node)> {
    let name = match name {
        ValueRef::Missing => "this",
        ValueRef::String(name) => name.checked()?,
        other => {
            return Err(CommandError::new(
                Code::FailedToParse,
                format!(
                    "{operator} requires 'as' to be a string, found: {}",
                    other.type_name()
                ),
            ));
        }
    };
    check_variable_for_write(name)?;
    let input = compiler.operand(input)?;
    let (variables, body) = compiler.with_variables(&[name], |compiler| compiler.operand(body))?;
    Ok((input, variables, body))
}
