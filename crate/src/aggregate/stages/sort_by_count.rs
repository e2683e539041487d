//! `$sortByCount`: the distinct values of an expression, the most frequent first.
//!
//! Follows the manual's "$sortByCount" page. It is `$group` and `$sort`.

use super::super::stage::StagePlan;
use super::{group, sort};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::expr::CompileContext;

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>, CommandError> {
    let refuse = |code, message: &str| Err(CommandError::location(code, message));
    match specification {
        ValueRef::Document(expression) => {
            let first = expression.iter().next();
            if !first.is_some_and(|field| field.name.starts_with('$')) {
                return refuse(
                    40147,
                    "the sortByCount field must be defined as a $-prefixed path or an expression \
                     inside an object",
                );
            }
        }
        ValueRef::String(path) if path.has_dollar() => {}
        ValueRef::String(_) => {
            return refuse(
                40148,
                "the sortByCount field must be defined as a $-prefixed path or an expression \
                 inside an object",
            );
        }
        _ => {
            return refuse(
                40149,
                "the sortByCount field must be specified as a string or as an object",
            );
        }
    }
    let mut grouping = DocumentBuilder::new();
    grouping.append("_id", specification);
    grouping.begin_document("count").append("$sum", 1).end();
    let grouping = grouping.finish();
    let mut order = DocumentBuilder::new();
    order.append("count", -1);
    let order = order.finish();
    let mut stages = group::compile("$group", ValueRef::from(&grouping), context)?;
    stages.extend(sort::compile("$sort", ValueRef::from(&order), context)?);
    Ok(stages)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn counts_and_sorts() {
        gives(
            "[{$sortByCount: '$a'}]",
            "[{a: 'x'}, {a: 'y'}, {a: 'y'}]",
            "[{_id: 'y', count: 2}, {_id: 'x', count: 1}]",
        );
        fails("[{$sortByCount: 5}]", 40149);
        fails("[{$sortByCount: 'a'}]", 40148);
        fails("[{$sortByCount: {a: 1}}]", 40147);
    }
}
