//! The specification of a `$merge`: the target, the fields to match by, and the actions for a document that is there or
//! is not.
//!
//! Example: `{into: "totals", on: "kind", whenMatched: "replace", whenNotMatched: "insert"}`.

use super::foreign;
use crate::bson::{ArrayBuf, Document, DocumentBuf, DocumentBuilder, Text, ValueRef};
use crate::catalog::names;
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, Expression, FieldPath, compile as compile_expression};

type Result<T> = std::result::Result<T, CommandError>;

/// The action for a document that the target has.
pub(super) enum WhenMatched {
    Replace,
    KeepExisting,
    Merge,
    Fail,
    Pipeline(ArrayBuf),
}

impl WhenMatched {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::KeepExisting => "keepExisting",
            Self::Merge => "merge",
            Self::Fail => "fail",
            Self::Pipeline(_) => "pipeline",
        }
    }
}

/// The action for one that it lacks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenNotMatched {
    Insert,
    Discard,
    Fail,
}

impl WhenNotMatched {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Discard => "discard",
            Self::Fail => "fail",
        }
    }
}

/// The stage, compiled.
pub(super) struct MergePlan {
    /// Empty until `prepare`, for the pipeline's own.
    pub(super) database: String,
    pub(super) collection: String,
    pub(super) on: Vec<FieldPath>,
    /// Whether documents may lack the fields of `on`, which counts as null: the index of these is not sparse.
    pub(super) may_lack: bool,
    /// The document of `let`, as it was given.
    pub(super) given: Option<DocumentBuf>,
    pub(super) variables: Vec<(String, Expression)>,
    pub(super) matched: WhenMatched,
    pub(super) not_matched: WhenNotMatched,
    pub(super) collation: Collation,
}

/// Compiles `let`, which only a pipeline may have; `$$new` is the incoming document.
pub(super) fn read_variables(plan: &mut MergePlan, context: &CompileContext<'_>) -> Result<()> {
    let WhenMatched::Pipeline(_) = plan.matched else {
        return match plan.given {
            None => Ok(()),
            Some(_) => Err(CommandError::location(
                51199,
                format!(
                    "Cannot use 'let' variables with 'whenMatched: {}' mode",
                    plan.matched.name()
                ),
            )),
        };
    };
    let mut all = DocumentBuilder::new();
    let has_new = match &plan.given {
        None => false,
        Some(given) => {
            all.append_all(given.as_document());
            match given.get("new") {
                ValueRef::Missing => false,
                ValueRef::String(text) if text == "$$ROOT" => true,
                _ => {
                    return Err(CommandError::location(
                        51273,
                        "'let' may not define a value for the reserved 'new' variable other than \
                         '$$ROOT'",
                    ));
                }
            }
        }
    };
    if !has_new && (plan.given.is_none() || plan.not_matched == WhenNotMatched::Insert) {
        all.append("new", "$$ROOT");
    }
    let all = all.finish();
    for field in all.as_document().iter() {
        // `new` is the server's own name for the incoming document. Other names must not be reserved.
        if field.name != "new" {
            foreign::check_variable(field.name)?;
        }
        let expression = compile_expression(field.value, context)?;
        plan.variables.push((field.name.to_owned(), expression));
    }
    plan.given = Some(all);
    Ok(())
}

fn read_target(into: ValueRef<'_>, plan: &mut MergePlan) -> Result<()> {
    match into {
        ValueRef::String(Text(b"")) => Err(CommandError::location(
            5_786_800,
            "$merge 'into' field cannot be an empty string",
        )),
        ValueRef::String(name) => {
            plan.collection = names::of(name)?.to_owned();
            Ok(())
        }
        ValueRef::Document(fields) => {
            for field in fields.iter() {
                let slot = match field.name {
                    "db" => &mut plan.database,
                    "coll" => &mut plan.collection,
                    name => return Err(foreign::unknown_field("into", name)),
                };
                match field.value {
                    ValueRef::String(Text(b"")) if field.name == "db" => {
                        return Err(CommandError::new(
                            Code::InvalidNamespace,
                            "Invalid $merge target namespace: its database has no name",
                        ));
                    }
                    ValueRef::String(name) => *slot = names::of(name)?.to_owned(),
                    value if value.is_nullish() => {}
                    other => {
                        return Err(CommandError::new(
                            Code::TypeMismatch,
                            format!(
                                "BSON field 'into.{}' is the wrong type '{}', expected type 'string'",
                                field.name,
                                other.type_name()
                            ),
                        ));
                    }
                }
            }
            if plan.collection.is_empty() {
                return Err(CommandError::location(
                    5_786_801,
                    "$merge 'into' field must specify a 'coll' that is not empty, null or undefined",
                ));
            }
            Ok(())
        }
        other => Err(CommandError::location(
            51178,
            format!(
                "$merge 'into' field  must be either a string or an object, but found {}",
                other.type_name()
            ),
        )),
    }
}

fn read_on(on: ValueRef<'_>, plan: &mut MergePlan) -> Result<()> {
    match on {
        ValueRef::String(path) => plan.on.push(FieldPath::parse(path.checked()?)?),
        ValueRef::Array(paths) => {
            for path in paths.iter() {
                let text = path.as_text().ok_or_else(|| {
                    CommandError::location(
                        51134,
                        format!(
                            "$merge 'on' array elements must be strings, but found {}",
                            path.type_name()
                        ),
                    )
                })?;
                let path = FieldPath::parse(text.checked()?)?;
                if plan.on.contains(&path) {
                    return Err(CommandError::location(
                        31465,
                        format!("Found a duplicate field '{text}'"),
                    ));
                }
                plan.on.push(path);
            }
            if plan.on.is_empty() {
                return Err(CommandError::location(
                    51187,
                    "If explicitly specifying $merge 'on', must include at least one field",
                ));
            }
        }
        other => {
            return Err(CommandError::location(
                51186,
                format!(
                    "$merge 'on' field  must be either a string or an array of strings, but found {}",
                    other.type_name()
                ),
            ));
        }
    }
    Ok(())
}

/// Reads the fields of the stage given as a document.
pub(super) fn read(fields: Document<'_>, plan: &mut MergePlan) -> Result<()> {
    let mismatch = |name: &str, value: ValueRef<'_>, expected: &str| {
        CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field '$merge.{name}' is the wrong type '{}', expected type '{expected}'",
                value.type_name()
            ),
        )
    };
    for field in fields.iter() {
        match (field.name, field.value) {
            ("into", into) => read_target(into, plan)?,
            ("on", on) => read_on(on, plan)?,
            ("let", ValueRef::Document(variables)) => plan.given = Some(variables.to_buf()),
            ("let", other) => return Err(mismatch("let", other, "object")),
            ("whenMatched", ValueRef::String(mode)) => plan.matched = matched(mode.checked()?)?,
            ("whenMatched", ValueRef::Array(stages)) => {
                if let Some(other) = { stages.iter() }.find(|stage| stage.as_document().is_none()) {
                    return Err(mismatch("whenMatched", other, "object"));
                }
                plan.matched = WhenMatched::Pipeline(stages.to_buf());
            }
            ("whenMatched", other) => {
                return Err(CommandError::location(
                    51191,
                    format!(
                        "$merge 'whenMatched' field  must be either a string or an array, but found \
                         {}",
                        other.type_name()
                    ),
                ));
            }
            ("whenNotMatched", ValueRef::String(mode)) => {
                plan.not_matched = not_matched(mode.checked()?)?
            }
            ("whenNotMatched", other) => return Err(mismatch("whenNotMatched", other, "string")),
            (other, _) => return Err(foreign::unknown_field("$merge", other)),
        }
    }
    if plan.collection.is_empty() {
        return Err(CommandError::new(
            Code::IDLFailedToParse,
            "BSON field '$merge.into' is missing but a required field",
        ));
    }
    Ok(())
}

fn matched(mode: &str) -> Result<WhenMatched> {
    Ok(match mode {
        "replace" => WhenMatched::Replace,
        "keepExisting" => WhenMatched::KeepExisting,
        "merge" => WhenMatched::Merge,
        "fail" => WhenMatched::Fail,
        other => {
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "Enumeration value '{other}' for field 'whenMatched' is not a valid value."
                ),
            ));
        }
    })
}

fn not_matched(mode: &str) -> Result<WhenNotMatched> {
    Ok(match mode {
        "insert" => WhenNotMatched::Insert,
        "discard" => WhenNotMatched::Discard,
        "fail" => WhenNotMatched::Fail,
        other => {
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "Enumeration value '{other}' for field 'whenNotMatched' is not a valid value."
                ),
            ));
        }
    })
}
