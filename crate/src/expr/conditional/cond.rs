//! `$cond`: one of two expressions by a condition.
//!
//! Follows the manual's "$cond" page. Invariant: only the chosen branch is evaluated.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Function, Node, Result, Style};
use crate::bson::ValueRef;

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let arguments = match argument {
        ValueRef::Document(fields) => {
            let mut parts = [ValueRef::Missing; 3];
            for field in fields.iter() {
                let part = match field.name {
                    "if" => 0,
                    "then" => 1,
                    "else" => 2,
                    other => {
                        return Err(error(
                            17083,
                            format!("Unrecognized parameter to $cond: {other}"),
                        ));
                    }
                };
                parts[part] = field.value;
            }
            let names = ["if", "then", "else"];
            for ((part, missing), code) in parts.iter().zip(names).zip(17080..) {
                if part.is_missing() {
                    return Err(error(
                        code,
                        format!("Missing '{missing}' parameter to $cond"),
                    ));
                }
            }
            parts
                .into_iter()
                .map(|part| compiler.operand(part))
                .collect::<Result<Vec<_>>>()?
        }
        other => compiler.arguments(other)?,
    };
    let given = arguments.len();
    let Ok([condition, then, otherwise]) = <[Node; 3]>::try_from(arguments) else {
        return Err(error(
            16020,
            format!("Expression $cond takes exactly 3 arguments. {given} were passed in."),
        ));
    };
    if let Some(constant) = condition.as_constant() {
        return Ok(if constant.as_ref().is_truthy() {
            then
        } else {
            otherwise
        });
    }
    let arguments = vec![condition, then, otherwise];
    let function = Function::Choosing(choose);
    Ok(compiler.finish(Call::new(name, Style::Positional, function, arguments)))
}

fn choose(call: &Call, scope: &Scope<'_>) -> Result<usize> {
    let is_true = call.argument(0, scope)?.as_ref().is_truthy();
    Ok(if is_true { 1 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_both_forms() {
        evaluates("{$cond: ['$a', 1, {$divide: [1, 0]}]}", "{a: 1}", "1");
        evaluates("{$cond: {if: '$a', else: 2, then: 1}}", "{a: null}", "2");
        evaluates("{$cond: ['$a', '$$REMOVE', 1]}", "{a: 1}", "missing");
        fails("{$cond: [true, 1]}", "{}", 16020);
        fails("{$cond: {if: 1, then: 2}}", "{}", 17082);
        fails("{$cond: {if: 1, then: 2, x: 1}}", "{}", 17083);
    }
}
