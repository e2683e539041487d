//! `$replaceRoot` and `$replaceWith`: a document that an expression gives, in each one's place.
//!
//! Follows the manual's "$replaceRoot" and "$replaceWith" pages.

use super::super::output::Output;
use super::super::stage::{Flow, StagePlan};
use crate::bson::{DocumentBuilder, Value, ValueRef};
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{CompileContext, Dependencies, Expression, Scope, compile as compile_expression};

type Result<T> = std::result::Result<T, CommandError>;

struct ReplacePlan {
    replacement: Expression,
    /// Whether the stage was written `$replaceWith`: only the error says so.
    with: bool,
}

/// Compiles `$replaceRoot`.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::location(
            40229,
            format!(
                "expected an object as specification for $replaceRoot stage, got {}",
                specification.type_name()
            ),
        ));
    };
    let mut root = ValueRef::Missing;
    for field in fields.iter() {
        if field.name != "newRoot" {
            return Err(CommandError::new(
                Code::IDLUnknownField,
                format!(
                    "BSON field '$replaceRoot.{}' is an unknown field.",
                    field.name
                ),
            ));
        }
        root = field.value;
    }
    if root.is_missing() {
        return Err(CommandError::new(
            Code::IDLFailedToParse,
            "BSON field '$replaceRoot.newRoot' is missing but a required field",
        ));
    }
    Ok(vec![Box::new(ReplacePlan {
        replacement: compile_expression(root, context)?,
        with: false,
    })])
}

/// Compiles `$replaceWith`.
pub fn compile_with(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    Ok(vec![Box::new(ReplacePlan {
        replacement: compile_expression(specification, context)?,
        with: true,
    })])
}

impl StagePlan for ReplacePlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(ReplaceStage {
            plan: self,
            input,
            output: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$replaceRoot");
        self.replacement.to_bson("newRoot", builder);
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.merge(&self.replacement.dependencies());
        Flow::Exhausts
    }

    fn is_one_to_one(&self) -> bool {
        true
    }
}

struct ReplaceStage {
    plan: Box<ReplacePlan>,
    input: Box<dyn Stage>,
    output: Output,
}

impl Stage for ReplaceStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if !self.input.advance(cx)? {
            return Ok(false);
        }
        let scope = Scope::of(ValueRef::Document(self.input.current().document()), cx.env);
        match self.plan.replacement.evaluate(&scope)? {
            Value::Document(document) => self.output.set(document),
            value => match value.as_ref() {
                ValueRef::Document(document) => self.output.copy(document),
                other => {
                    let what = match self.plan.with {
                        true => "'replacement document'",
                        false => "'newRoot' expression ",
                    };
                    return Err(CommandError::location(
                        40228,
                        format!(
                            "{what} must evaluate to an object, but resulting value was of type \
                             {}",
                            other.type_name()
                        ),
                    ));
                }
            },
        }
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, fails_on, gives};

    #[test]
    fn replaces() {
        gives(
            "[{$replaceRoot: {newRoot: '$a'}}]",
            "[{a: {b: 1}}, {a: {b: 2}}]",
            "[{b: 1}, {b: 2}]",
        );
        gives(
            "[{$replaceWith: {$mergeObjects: ['$a', {c: '$d'}]}}]",
            "[{a: {b: 1}, d: 2}]",
            "[{b: 1, c: 2}]",
        );
        fails_on("[{$replaceRoot: {newRoot: '$a'}}]", "[{a: 1}]", 40228);
        fails("[{$replaceRoot: {x: 1}}]", 40415);
        fails("[{$replaceRoot: 5}]", 40229);
        fails("[{$replaceRoot: {}}]", 40414);
    }
}
