//! `$switch`: the first branch whose case is true, else the default.
//!
//! Follows the manual's "$switch" page.

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
    let ValueRef::Document(fields) = argument else {
        return Err(error(
            40060,
            format!(
                "$switch requires an object as an argument, found: {}",
                argument.type_name()
            ),
        ));
    };
    let mut arguments = Vec::new();
    let mut default = None;
    for field in fields.iter() {
        match field.name {
            "branches" => compile_branches(field.value, compiler, &mut arguments)?,
            "default" => default = Some(compiler.operand(field.value)?),
            other => {
                return Err(error(
                    40067,
                    format!("$switch found an unknown argument: {other}"),
                ));
            }
        }
    }
    if arguments.is_empty() {
        return Err(error(40068, "$switch requires at least one branch."));
    }
    let is_false = |case: &Node| {
        case.as_constant()
            .is_some_and(|case| !case.as_ref().is_truthy())
    };
    if default.is_none() && arguments.iter().step_by(2).all(is_false) {
        compiler.note(error(
            40069,
            "Cannot execute a switch statement where all the cases evaluate to false without a default",
        ));
    }
    arguments.extend(default);
    let function = Function::Choosing(choose);
    let call = Call::new(name, Style::Switch, function, arguments);
    // A switch of constants without a true branch fails only when it runs.
    compiler.reached(false, |compiler| Ok(compiler.finish(call)))
}

fn compile_branches(
    branches: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
    arguments: &mut Vec<Node>,
) -> Result<()> {
    let ValueRef::Array(branches) = branches else {
        return Err(error(
            40061,
            format!(
                "$switch expected an array for 'branches', found: {}",
                branches.type_name()
            ),
        ));
    };
    let mut is_decided = false;
    for branch in branches.iter() {
        let ValueRef::Document(branch) = branch else {
            return Err(error(
                40062,
                format!(
                    "$switch expected each branch to be an object, found: {}",
                    branch.type_name()
                ),
            ));
        };
        let (mut case, mut then) = (None, None);
        for field in branch.iter() {
            match field.name {
                "case" => case = Some(field.value),
                "then" => then = Some(field.value),
                other => {
                    return Err(error(
                        40063,
                        format!("$switch found an unknown argument to a branch: {other}"),
                    ));
                }
            }
        }
        let case = case.ok_or_else(|| {
            error(
                40064,
                "$switch requires each branch have a 'case' expression",
            )
        })?;
        let then = then.ok_or_else(|| {
            error(
                40065,
                "$switch requires each branch have a 'then' expression.",
            )
        })?;
        // The server drops a branch whose case is known, and those behind one that is true, before it looks at them.
        let case = compiler.reached(!is_decided, |compiler| compiler.operand(case))?;
        let known = case.as_constant().map(|case| case.as_ref().is_truthy());
        let is_taken = !is_decided && known != Some(false);
        let then = compiler.reached(is_taken, |compiler| compiler.operand(then))?;
        is_decided |= known == Some(true);
        arguments.push(case);
        arguments.push(then);
    }
    Ok(())
}

fn choose(call: &Call, scope: &Scope<'_>) -> Result<usize> {
    for case in (0..call.arguments.len()).step_by(2) {
        let is_default = case + 1 == call.arguments.len();
        if is_default {
            return Ok(case);
        }
        if call.argument(case, scope)?.as_ref().is_truthy() {
            return Ok(case + 1);
        }
    }
    Err(error(
        40066,
        "$switch could not find a matching branch for an input, and no default was specified.",
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_the_first_true_branch() {
        evaluates(
            "{$switch: {branches: [{case: '$a', then: 1}, {case: '$b', then: 2}], default: 3}}",
            "{b: 1}",
            "2",
        );
        evaluates(
            "{$switch: {branches: [{case: '$a', then: 1}], default: 3}}",
            "{}",
            "3",
        );
        fails(
            "{$switch: {branches: [{case: '$a', then: 1}]}}",
            "{}",
            40066,
        );
        fails("{$switch: {branches: []}}", "{}", 40068);
        fails("{$switch: {branches: [{case: 1}]}}", "{}", 40065);
    }
}
