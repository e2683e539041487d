//! `$redact`: parts of documents kept, cut or looked into, as an expression decides at each level.
//!
//! Follows the manual's "$redact" page.

use super::super::output::{Output, position_name};
use super::super::stage::{Flow, Part, StagePlan};
use crate::bson::{Array, Document, DocumentBuilder, Value, ValueRef};
use crate::error::CommandError;
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{CompileContext, Dependencies, Expression, Scope, compile as compile_expression};

type Result<T> = std::result::Result<T, CommandError>;

const DECISIONS: [&str; 3] = ["DESCEND", "PRUNE", "KEEP"];

/// A compiled `$redact`.
pub struct RedactPlan {
    expression: Expression,
    /// Whether the part of the filter behind the stage that may move stands before it too.
    pub filtered: bool,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let mut inner = context.clone();
    for decision in DECISIONS {
        let value = Value::from(decision.to_ascii_lowercase());
        inner.constants.push((decision.to_owned(), value));
    }
    let expression = compile_expression(specification, &inner)?;
    context.metadata.replace(inner.metadata.take());
    Ok(vec![Box::new(RedactPlan {
        expression,
        filtered: false,
    })])
}

impl StagePlan for RedactPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(RedactStage {
            expression: self.expression,
            input,
            output: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        self.expression.to_bson("$redact", builder);
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Redact(self)
    }
}

struct RedactStage {
    expression: Expression,
    input: Box<dyn Stage>,
    output: Output,
}

/// Writes the fields of a document that are kept; `false` when the whole document is cut.
fn redact(
    expression: &Expression,
    document: Document<'_>,
    scope: &Scope<'_>,
    builder: &mut DocumentBuilder,
) -> Result<bool> {
    let inner = Scope {
        current: ValueRef::Document(document),
        ..*scope
    };
    let decision = expression.evaluate(&inner)?;
    match decision.as_ref().as_str() {
        Some("keep") => {
            builder.append_all(document);
            return Ok(true);
        }
        Some("prune") => return Ok(false),
        Some("descend") => {}
        _ => {
            return Err(CommandError::location(
                17053,
                format!(
                    "$redact's expression should not return anything aside from the variables \
                     $$KEEP, $$DESCEND, and $$PRUNE, but returned a value of type {}",
                    decision.as_ref().type_name()
                ),
            ));
        }
    }
    for field in document.iter() {
        append(expression, field.name, field.value, scope, builder)?;
    }
    Ok(true)
}

fn append(
    expression: &Expression,
    name: &str,
    value: ValueRef<'_>,
    scope: &Scope<'_>,
    builder: &mut DocumentBuilder,
) -> Result<bool> {
    match value {
        ValueRef::Document(document) => {
            let mut nested = DocumentBuilder::new();
            if !redact(expression, document, scope, &mut nested)? {
                return Ok(false);
            }
            builder.append(name, &nested.finish());
        }
        ValueRef::Array(items) => {
            builder.begin_array(name);
            append_items(expression, items, scope, builder)?;
            builder.end();
        }
        other => {
            builder.append(name, other);
        }
    }
    Ok(true)
}

fn append_items(
    expression: &Expression,
    items: Array<'_>,
    scope: &Scope<'_>,
    builder: &mut DocumentBuilder,
) -> Result<()> {
    let mut buffer = [0; 20];
    let mut position = 0;
    for item in items.iter() {
        let name = position_name(position, &mut buffer);
        position += usize::from(append(expression, name, item, scope, builder)?);
    }
    Ok(())
}

impl Stage for RedactStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        while self.input.advance(cx)? {
            let document = self.input.current().document();
            let scope = Scope::of(ValueRef::Document(document), cx.env);
            let mut builder = self.output.begin();
            let kept = redact(&self.expression, document, &scope, &mut builder)?;
            self.output.finish(builder);
            if kept {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, fails_on, gives};

    #[test]
    fn decides_at_each_level() {
        gives(
            "[{$redact: {$cond: [{$gt: [{$ifNull: ['$level', 0]}, 3]}, '$$PRUNE', '$$DESCEND']}}]",
            "[{level: 1, a: {level: 5, x: 1}, b: {level: 2, y: 1}, c: [{level: 5}, 7, {z: 1}]}, {level: 9}]",
            "[{level: 1, b: {level: 2, y: 1}, c: [7, {z: 1}]}]",
        );
        gives("[{$redact: '$$KEEP'}]", "[{a: 1}]", "[{a: 1}]");
        fails("[{$redact: '$$NOPE'}]", 17276);
        fails_on("[{$redact: 5}]", "[{a: 1}]", 17053);
    }
}
