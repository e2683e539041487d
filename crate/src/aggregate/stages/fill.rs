//! `$fill`: fills null and missing fields by a value or from the documents around.
//!
//! Follows the manual's "$fill (aggregation)" page. Invariant: it is `$setWindowFields` for methods and
//! `$addFields` for values, and explain shows it as those.

use super::super::stage::StagePlan;
use super::{foreign, project, set_window_fields};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

type Result<T> = std::result::Result<T, CommandError>;

/// Refuses a field of a type that it may not have.
fn mismatch(field: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field '$fill.{field}' is the wrong type '{}', expected type '{expected}'",
            value.type_name()
        ),
    )
}

/// Compiles the stage to those that do its work.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let fields = foreign::specification_fields(name, specification)?;
    let mut output = None;
    let mut windows = DocumentBuilder::new();
    let mut partitioned = false;
    for field in fields.iter() {
        match (field.name, field.value) {
            ("output", ValueRef::Document(fields)) => output = Some(fields),
            ("sortBy", ValueRef::Document(sort)) => {
                windows.append("sortBy", sort);
            }
            ("partitionBy" | "partitionByFields", _) if partitioned => {
                return Err(CommandError::location(
                    6_050_204,
                    "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'",
                ));
            }
            ("partitionBy", by @ (ValueRef::String(_) | ValueRef::Document(_))) => {
                partitioned = true;
                windows.append("partitionBy", by);
            }
            ("partitionByFields", ValueRef::Array(paths)) => {
                partitioned = true;
                windows.begin_document("partitionBy");
                for path in paths.iter() {
                    let text = path
                        .as_text()
                        .ok_or_else(|| mismatch("partitionByFields", path, "string"))?
                        .checked()?;
                    windows.append(text, format!("${text}").as_str());
                }
                windows.end();
            }
            ("partitionByFields", other) => {
                return Err(mismatch("partitionByFields", other, "array"));
            }
            ("partitionBy", other) => {
                return Err(CommandError::new(
                    Code::TypeMismatch,
                    format!(
                        "BSON field '$fill.partitionBy' is the wrong type '{}', expected types \
                         '[string, object]'",
                        other.type_name()
                    ),
                ));
            }
            ("output" | "sortBy", other) => return Err(mismatch(field.name, other, "object")),
            (other, _) => return Err(foreign::unknown_field(name, other)),
        }
    }
    let output = output.ok_or_else(|| {
        CommandError::new(
            Code::IDLFailedToParse,
            "BSON field '$fill.output' is missing but a required field",
        )
    })?;
    if output.is_empty() {
        return Err(CommandError::location(
            6_050_203,
            "The output field in '$fill' must contain an object with at least one element",
        ));
    }
    let mut values = DocumentBuilder::new();
    let mut has_methods = false;
    windows.begin_document("output");
    for field in output.iter() {
        let ValueRef::Document(how) = field.value else {
            return Err(CommandError::location(
                6_050_200,
                "Each fill output specification must be an object with exactly one field",
            ));
        };
        let path = format!("${}", field.name);
        match filling(how)? {
            Filling::Method(function) => {
                has_methods = true;
                windows
                    .begin_document(field.name)
                    .append(function, path.as_str())
                    .end();
            }
            Filling::Value(value) => {
                values.begin_document(field.name).begin_array("$ifNull");
                values.push_item(0, path.as_str()).push_item(1, value);
                values.end().end();
            }
            Filling::Nothing => {}
        }
    }
    windows.end();
    let mut plans = Vec::new();
    if has_methods {
        let windows = windows.finish();
        plans.extend(set_window_fields::compile(
            "$setWindowFields",
            ValueRef::from(&windows),
            context,
        )?);
    }
    let values = values.finish();
    if !values.as_document().is_empty() {
        plans.extend(project::compile_add_fields(
            "$addFields",
            ValueRef::from(&values),
            context,
        )?);
    }
    Ok(plans)
}

/// How one field is filled.
enum Filling<'v> {
    Method(&'static str),
    Value(ValueRef<'v>),
    Nothing,
}

fn filling(how: Document<'_>) -> Result<Filling<'_>> {
    let mut found = Filling::Nothing;
    for field in how.iter() {
        let next = match (field.name, field.value) {
            ("method", ValueRef::String(text)) if text == "locf" => Filling::Method("$locf"),
            ("method", ValueRef::String(text)) if text == "linear" => {
                Filling::Method("$linearFill")
            }
            ("method", ValueRef::String(_)) => {
                return Err(CommandError::location(
                    6_050_202,
                    "Method must be either locf or linear",
                ));
            }
            ("method", other) => return Err(mismatch("method", other, "string")),
            ("value", value) => Filling::Value(value),
            (other, _) => return Err(foreign::unknown_field("$fill", other)),
        };
        if !matches!(found, Filling::Nothing) {
            return Err(CommandError::location(
                6_050_201,
                "Each fill output specification must have exactly one of 'method' or 'value' fields, \
                 not both",
            ));
        }
        found = next;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{explain, fails, gives};

    #[test]
    fn fills_by_values_and_methods() {
        gives(
            "[{$fill: {output: {a: {value: 0}}}}]",
            "[{a: 1}, {a: null}, {}]",
            "[{a: 1}, {a: 0}, {a: 0}]",
        );
        gives(
            "[{$fill: {sortBy: {t: 1}, output: {a: {method: 'linear'}}}}]",
            "[{t: 1, a: 0}, {t: 2, a: null}, {t: 3, a: 4}]",
            "[{t: 1, a: 0}, {t: 2, a: 2.0}, {t: 3, a: 4}]",
        );
        assert_eq!(
            explain("[{$fill: {output: {a: {value: '$b'}}}}]"),
            "[{$addFields: {a: {$ifNull: ['$a', '$b']}}}]"
        );
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$fill: 5}]", 9);
        fails("[{$fill: {}}]", 40414);
        fails("[{$fill: {output: {}}}]", 6_050_203);
        fails("[{$fill: {output: {a: 5}}}]", 6_050_200);
        fails("[{$fill: {output: {a: {method: 'x'}}}}]", 6_050_202);
        fails(
            "[{$fill: {output: {a: {method: 'locf', value: 1}}}}]",
            6_050_201,
        );
        fails(
            "[{$fill: {partitionBy: '$a', partitionByFields: ['a'], output: {a: {value: 1}}}}]",
            6_050_204,
        );
    }
}
