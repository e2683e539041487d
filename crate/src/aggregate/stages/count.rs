//! `$count`: how many documents came in, as one document; nothing when none did.
//!
//! Follows the manual's "$count (aggregation)" page. It is `$group` over everything and `$project`.

use super::super::stage::StagePlan;
use super::{group, project};
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
    let ValueRef::String(name) = specification else {
        return refuse(40156, "the count field must be a non-empty string");
    };
    let name = name.checked()?;
    if name.is_empty() {
        return refuse(40157, "the count field must be a non-empty string");
    }
    if name.starts_with('$') {
        return refuse(40158, "the count field cannot be a $-prefixed path");
    }
    if name.contains('\0') {
        return refuse(40159, "the count field cannot contain a null byte");
    }
    if name.contains('.') {
        return refuse(40160, "the count field cannot contain '.'");
    }
    if name == "_id" {
        return refuse(9_039_800, "the count field cannot be '_id'");
    }
    let mut grouping = DocumentBuilder::new();
    grouping.append("_id", ValueRef::Null);
    grouping.begin_document(name).append("$sum", 1).end();
    let grouping = grouping.finish();
    let mut shape = DocumentBuilder::new();
    shape.append("_id", false);
    let shape = shape.finish();
    let mut stages = group::compile("$group", ValueRef::from(&grouping), context)?;
    stages.extend(project::compile(
        "$project",
        ValueRef::from(&shape),
        context,
    )?);
    Ok(stages)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn counts() {
        gives("[{$count: 'n'}]", "[{a: 1}, {a: 2}]", "[{n: 2}]");
        gives("[{$count: 'n'}]", "[]", "[]");
        fails("[{$count: 5}]", 40156);
        fails("[{$count: '$n'}]", 40158);
        fails("[{$count: 'a.b'}]", 40160);
    }
}
