//! `$collStats`: sizes, counts and latencies of a collection.
//!
//! Follows the manual's "$collStats (aggregation)" page. The numbers come from the executor.

use super::super::stage::StagePlan;
use super::describe::{self, wrong_type};
use super::foreign::unknown_field;
use crate::bson::{Document, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

type Result<T> = std::result::Result<T, CommandError>;

/// Compiles the stage.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::location(
            5_447_000,
            format!("{name} must take a nested object but found: {name}: {specification}"),
        ));
    };
    for field in fields.iter() {
        let path = format!("{name}.{}", field.name);
        let inner = match (field.name, field.value) {
            ("latencyStats" | "storageStats" | "count" | "queryExecStats", ValueRef::Null) => {
                continue;
            }
            (
                "latencyStats" | "storageStats" | "count" | "queryExecStats",
                ValueRef::Document(inner),
            ) => inner,
            ("latencyStats" | "storageStats" | "count" | "queryExecStats", other) => {
                return Err(wrong_type(&path, other, "object"));
            }
            (other, _) => return Err(unknown_field(name, other)),
        };
        match field.name {
            "latencyStats" => check_latency(&path, inner)?,
            "storageStats" => check_storage(&path, inner)?,
            _ if inner.is_empty() => {}
            _ => {
                return Err(CommandError::location(
                    31170,
                    format!("expected an empty object, but got {inner}"),
                ));
            }
        }
    }
    Ok(describe::plan(name, fields))
}

fn check_boolean(field: &str, value: ValueRef<'_>) -> Result<()> {
    match value {
        ValueRef::Missing | ValueRef::Boolean(_) => Ok(()),
        other => Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "Field '{field}' should be a boolean value, but found: {}",
                other.type_name()
            ),
        )),
    }
}

fn check_latency(path: &str, fields: Document<'_>) -> Result<()> {
    for field in fields.iter() {
        match field.name {
            "histograms" => check_boolean(field.name, field.value)?,
            other => return Err(unknown_field(path, other)),
        }
    }
    Ok(())
}

/// Unlike the others, the server lets this document hold fields that it does not know.
fn check_storage(path: &str, fields: Document<'_>) -> Result<()> {
    let scale = fields.get("scale");
    if !matches!(scale, ValueRef::Missing | ValueRef::Null) {
        let Some(number) = scale.as_number() else {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field '{path}.scale' is the wrong type '{}', expected types '[long, int, \
                     decimal, double]'",
                    scale.type_name()
                ),
            ));
        };
        let number = number.to_f64() as i64;
        if number < 1 {
            return Err(CommandError::new(
                Code::BadValue,
                format!("BSON field '{path}.scale' value must be >= 1, actual value '{number}'"),
            ));
        }
    }
    for name in ["verbose", "waitForLock", "numericOnly"] {
        check_boolean(name, fields.get(name))?;
    }
    for name in ["verbose", "numericOnly"] {
        if matches!(fields.get(name), ValueRef::Boolean(true)) {
            return Err(CommandError::new(
                Code::NotImplemented,
                format!("{path}.{name} is not supported"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification() {
        fails("[{$collStats: 5}]", 5_447_000);
        fails("[{$collStats: {foo: 1}}]", 40415);
        fails("[{$collStats: {count: 1}}]", 14);
        fails("[{$collStats: {count: {a: 1}}}]", 31170);
        fails("[{$collStats: {storageStats: {scale: 0}}}]", 2);
        fails("[{$collStats: {storageStats: {scale: 'x'}}}]", 14);
        fails("[{$collStats: {latencyStats: {histograms: 1}}}]", 14);
        fails("[{$collStats: {latencyStats: {x: 1}}}]", 40415);
        fails("[{$match: {}}, {$collStats: {}}]", 40602);
    }
}
