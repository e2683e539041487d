//! Help for stages that read other collections: namespaces, variables, equality filters.

use super::super::pipeline::Pipeline;
use crate::bson::{Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::names;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::compile::check_variable_for_write;
use crate::expr::{CompileContext, Expression, FieldPath, compile as compile_expression};

type Result<T> = std::result::Result<T, CommandError>;

/// A collection's name, or `{db, coll}`.
pub fn namespace(stage: &str, value: ValueRef<'_>) -> Result<(Option<String>, String)> {
    match value {
        ValueRef::String(name) => Ok((None, source(stage, names::of(name)?)?)),
        ValueRef::Document(fields) => match (fields.get("db"), fields.get("coll")) {
            (ValueRef::String(database), ValueRef::String(name)) => {
                let database = names::of(database)?;
                names::check_database(database)?;
                Ok((Some(database.to_owned()), source(stage, names::of(name)?)?))
            }
            _ => Err(CommandError::new(
                Code::FailedToParse,
                format!("{stage}: a namespace object takes the strings 'db' and 'coll'"),
            )),
        },
        other => Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "{stage} argument 'from' must be a string, found {}",
                other.type_name()
            ),
        )),
    }
}

/// The name of a collection that a stage reads. It need not be one that could be created.
///
/// # Errors
/// 73 for one that no collection can have.
pub fn source(stage: &str, name: &str) -> Result<String> {
    match names::is_sound(name) {
        true => Ok(name.to_owned()),
        false => Err(CommandError::new(
            Code::InvalidNamespace,
            format!("invalid {stage} namespace: {name}"),
        )),
    }
}

/// The fields of a stage that is written as an object.
///
/// # Errors
/// FailedToParse for anything else.
pub fn specification_fields<'a>(stage: &str, value: ValueRef<'a>) -> Result<Document<'a>> {
    match value {
        ValueRef::Document(fields) => Ok(fields),
        other => Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "The {stage} stage specification must be an object, found {}",
                other.type_name()
            ),
        )),
    }
}

/// Refuses a field that a stage does not have.
pub fn unknown_field(stage: &str, name: &str) -> CommandError {
    CommandError::new(
        Code::IDLUnknownField,
        format!("BSON field '{stage}.{name}' is an unknown field."),
    )
}

/// Checks the name of a variable that a `let` defines.
///
/// # Errors
/// 16867 and kin for a name that is none.
pub fn check_variable(name: &str) -> Result<()> {
    check_variable_for_write(name)
}

/// Whether `$out` takes this name for a collection; it may still be one that cannot be created.
pub fn is_target(database: &str, collection: &str) -> bool {
    names::check_database(database).is_ok() && names::is_sound(collection)
}

/// Whether `$merge` and its like may write to a collection of this name.
pub fn is_valid_target(database: &str, collection: &str) -> bool {
    is_target(database, collection) && !collection.contains('$')
}

/// Whether a collection of this name can be created.
///
/// # Errors
/// 73 for one that cannot.
pub fn check_creatable(database: &str, collection: &str) -> Result<()> {
    names::check_creatable(&format!("{database}.{collection}"))
}

/// Whether a collection is one of the server's own, which no pipeline writes to.
pub fn is_system(collection: &str) -> bool {
    names::is_system(collection)
}

/// Whether a database is one of the server's own.
pub fn is_internal(database: &str) -> bool {
    matches!(database, "admin" | "config" | "local")
}

/// The variables of a `let` argument.
pub fn variables(
    stage: &str,
    value: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<(String, Expression)>> {
    let ValueRef::Document(fields) = value else {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "{stage} argument 'let' must be an object, is of type {}",
                value.type_name()
            ),
        ));
    };
    let mut variables = Vec::new();
    for field in fields.iter() {
        check_variable_for_write(field.name)?;
        let expression = compile_expression(field.value, context)?;
        variables.push((field.name.to_owned(), expression));
    }
    Ok(variables)
}

/// Compiles a nested pipeline to find its errors before a document is read; the variables stand in
/// as slots because their values are not known yet.
pub fn check(
    stages: Array<'_>,
    within: &str,
    variables: &[(String, Expression)],
    context: &CompileContext<'_>,
) -> Result<Pipeline> {
    let mut inner = context.clone();
    // The inner pipeline's rows have metadata of their own.
    inner.metadata.take();
    inner
        .slots
        .extend(variables.iter().map(|(name, _)| name.clone()));
    Pipeline::compile_nested(stages, &inner, Some(within))
}

/// Whether a pipeline begins with the stage that makes documents, and so needs no collection.
pub fn makes_documents(stages: Array<'_>) -> bool {
    let first = stages.iter().next().and_then(ValueRef::as_document);
    first.is_some_and(|stage| !stage.get("$documents").is_missing())
}

/// Refuses a stage that names no collection, and whose pipeline makes no documents.
///
/// # Errors
/// 9.
pub fn check_without_collection(stage: &str, stages: Array<'_>) -> Result<()> {
    match makes_documents(stages) {
        true => Ok(()),
        false => Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "{stage} stage without explicit collection must have a pipeline with $documents as first stage"
            ),
        )),
    }
}

/// The `$match` stage for the documents whose `other` equals a document's values at `local`.
///
/// # Errors
/// Errors of `Env::checkpoint`.
pub fn equality(
    document: Document<'_>,
    local: &FieldPath,
    other: &FieldPath,
    env: &dyn Env,
) -> Result<DocumentBuf> {
    let mut values = Vec::new();
    collect(
        ValueRef::Document(document),
        local.parts(),
        &mut values,
        env,
    )?;
    if values.is_empty() {
        values.push(ValueRef::Null);
    }
    Ok(equality_of(&values, &other.dotted()))
}

/// The `$match` stage for the documents whose value at the path equals any of these.
pub fn equality_of(values: &[ValueRef<'_>], path: &str) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.begin_document("$match");
    let has_regex = values
        .iter()
        .any(|value| matches!(value, ValueRef::Regex { .. }));
    if has_regex {
        // `$in` would match text by a regular expression; `$eq` compares it as a value.
        let mut branches = ArrayBuilder::new();
        for value in values {
            let mut branch = DocumentBuilder::new();
            append_equal(path, *value, &mut branch);
            branches.push(&branch.finish());
        }
        builder.append("$or", &branches.finish());
    } else if let [one] = values {
        append_equal(path, *one, &mut builder);
    } else {
        let mut list = ArrayBuilder::new();
        for value in values {
            list.push(*value);
        }
        builder
            .begin_document(path)
            .append("$in", &list.finish())
            .end();
    }
    builder.end();
    builder.finish()
}

fn append_equal(path: &str, value: ValueRef<'_>, builder: &mut DocumentBuilder) {
    let value = match value {
        ValueRef::Missing => ValueRef::Null,
        value => value,
    };
    builder.begin_document(path).append("$eq", value).end();
}

/// Every value at a path: arrays on the way and at its end are opened.
///
/// # Errors
/// Errors of `Env::checkpoint`.
pub fn collect<'d>(
    value: ValueRef<'d>,
    path: &[Box<str>],
    values: &mut Vec<ValueRef<'d>>,
    env: &dyn Env,
) -> Result<()> {
    let Some((name, deeper)) = path.split_first() else {
        match value {
            ValueRef::Array(items) => {
                for item in items.iter() {
                    env.checkpoint()?;
                    values.push(item);
                }
            }
            ValueRef::Missing => {}
            value => values.push(value),
        }
        return Ok(());
    };
    match value {
        ValueRef::Document(document) => collect(document.get(name), deeper, values, env)?,
        ValueRef::Array(items) => {
            if let Ok(position) = name.parse::<usize>() {
                collect(items.get(position), deeper, values, env)?;
            }
            for item in items.iter() {
                if let ValueRef::Document(_) = item {
                    collect(item, path, values, env)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::NoEnv;
    use crate::expr::testing::{document, show};

    #[test]
    fn filters_by_every_local_value() {
        let shown = |input: &str, path: &str| {
            let path = FieldPath::parse(path).expect("a valid path");
            let input = document(input);
            let other = FieldPath::parse("f").expect("a valid path");
            let filter = equality(input.as_document(), &path, &other, &NoEnv);
            show(ValueRef::from(&filter.expect("nothing stops it")))
        };
        assert_eq!(shown("{a: 1}", "a"), "{$match: {f: {$eq: 1}}}");
        assert_eq!(shown("{}", "a"), "{$match: {f: {$eq: null}}}");
        assert_eq!(
            shown("{a: [{b: 1}, {b: [2, 3]}]}", "a.b"),
            "{$match: {f: {$in: [1, 2, 3]}}}"
        );
    }
}
