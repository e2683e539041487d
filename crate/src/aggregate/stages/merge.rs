//! `$merge`: writes what comes in into a collection, document by document, and gives nothing.
//!
//! Follows the manual's "$merge (aggregation)" page. Invariant: each document becomes one write
//! command, so that indexes, validators and limits apply as they do to a client's.

use super::super::source::PipelineContext;
use super::super::stage::{Flow, Stage, StagePlan};
use super::foreign;
use crate::bson::{
    Array, ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef,
};
use crate::error::{Code, CommandError};
use crate::expr::{
    CompileContext, Dependencies, Expression, FieldPath, Scope, compile as compile_expression,
};

type Result<T> = std::result::Result<T, CommandError>;

/// What to do with a document that the target has.
enum WhenMatched {
    Replace,
    KeepExisting,
    Merge,
    Fail,
    Pipeline(ArrayBuf),
}

/// What to do with one that it lacks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenNotMatched {
    Insert,
    Discard,
    Fail,
}

struct MergePlan {
    database: Option<String>,
    collection: String,
    on: Vec<FieldPath>,
    variables: Vec<(String, Expression)>,
    matched: WhenMatched,
    not_matched: WhenNotMatched,
    specification: DocumentBuf,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let mut plan = MergePlan {
        database: None,
        collection: String::new(),
        on: Vec::new(),
        variables: Vec::new(),
        matched: WhenMatched::Merge,
        not_matched: WhenNotMatched::Insert,
        specification: DocumentBuf::default(),
    };
    match specification {
        ValueRef::String(name) => {
            plan.collection = name.to_owned();
            let mut builder = DocumentBuilder::new();
            builder.append("into", name);
            plan.specification = builder.finish();
        }
        ValueRef::Document(fields) => {
            plan.specification = fields.to_buf();
            read(fields, &mut plan, context)?;
        }
        other => {
            return Err(CommandError::location(
                51182,
                format!(
                    "$merge only supports a string or object argument, not {}",
                    other.type_name()
                ),
            ));
        }
    }
    if plan.collection.is_empty() {
        return Err(CommandError::location(
            51178,
            "$merge 'into' field must specify a 'coll' that is not empty, null or undefined",
        ));
    }
    if plan.on.is_empty() {
        plan.on.push(FieldPath::parse("_id")?);
    }
    let pipeline = matches!(plan.matched, WhenMatched::Pipeline(_));
    if !plan.variables.is_empty() && !pipeline {
        return Err(CommandError::location(
            51199,
            "Cannot use 'let' variables with 'whenMatched: ' mode",
        ));
    }
    if pipeline && plan.variables.is_empty() {
        let whole = compile_expression(ValueRef::String("$$ROOT"), context)?;
        plan.variables.push(("new".to_owned(), whole));
    }
    Ok(vec![Box::new(plan)])
}

fn read(fields: Document<'_>, plan: &mut MergePlan, context: &CompileContext<'_>) -> Result<()> {
    for field in fields.iter() {
        match (field.name, field.value) {
            ("into", into) => {
                (plan.database, plan.collection) = foreign::namespace("$merge", into)?
            }
            ("on", ValueRef::String(path)) => plan.on.push(FieldPath::parse(path)?),
            ("on", ValueRef::Array(paths)) => {
                for path in paths.iter() {
                    let path = path.as_str().ok_or_else(|| {
                        CommandError::location(51134, "$merge 'on' array elements must be strings")
                    })?;
                    let path = FieldPath::parse(path)?;
                    if plan.on.contains(&path) {
                        return Err(CommandError::location(
                            31465,
                            format!("Found a duplicate field '{}'", path.dotted()),
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
            ("on", other) => {
                return Err(CommandError::location(
                    51186,
                    format!(
                        "$merge 'on' field  must be either a string or an array of strings, but found \
                         {}",
                        other.type_name()
                    ),
                ));
            }
            ("let", variables) => {
                plan.variables = foreign::variables("$merge", variables, context)?;
            }
            ("whenMatched", ValueRef::String(mode)) => plan.matched = matched(mode)?,
            ("whenMatched", ValueRef::Array(stages)) => {
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
            ("whenNotMatched", ValueRef::String(mode)) => plan.not_matched = not_matched(mode)?,
            (other, _) => {
                return Err(CommandError::location(
                    40415,
                    format!("BSON field '$merge.{other}' is an unknown field."),
                ));
            }
        }
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

impl StagePlan for MergePlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(MergeStage {
            plan: self,
            input: Some(input),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append("$merge", &self.specification);
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Exhausts
    }
}

struct MergeStage {
    plan: Box<MergePlan>,
    input: Option<Box<dyn Stage>>,
}

impl MergePlan {
    /// The filter that finds a document's counterpart.
    fn filter(&self, document: Document<'_>) -> Result<DocumentBuf> {
        let mut builder = DocumentBuilder::new();
        for path in &self.on {
            let value = path.evaluate(ValueRef::Document(document));
            match value.as_ref() {
                ValueRef::Missing | ValueRef::Null | ValueRef::Undefined | ValueRef::Array(_) => {
                    return Err(CommandError::location(
                        51132,
                        format!(
                            "$merge write error: 'on' field '{}' cannot be missing, null, undefined \
                             or an array",
                            path.dotted()
                        ),
                    ));
                }
                value => {
                    builder
                        .begin_document(&path.dotted())
                        .append("$eq", value)
                        .end();
                }
            }
        }
        Ok(builder.finish())
    }

    /// The write command for one document.
    fn command(&self, document: Document<'_>, cx: &PipelineContext<'_>) -> Result<DocumentBuf> {
        let collection = self.collection.as_str();
        let mut command = DocumentBuilder::new();
        if matches!(self.matched, WhenMatched::Fail) && self.not_matched == WhenNotMatched::Insert {
            let mut documents = ArrayBuilder::new();
            documents.push(document);
            command.append("insert", collection);
            command.append("documents", &documents.finish());
            return Ok(command.finish());
        }
        let mut update = DocumentBuilder::new();
        update.append("q", &self.filter(document)?);
        match &self.matched {
            WhenMatched::Replace => {
                update.append("u", document);
            }
            WhenMatched::Merge => {
                update.begin_document("u").append("$set", document).end();
            }
            WhenMatched::KeepExisting => {
                update
                    .begin_document("u")
                    .append("$setOnInsert", document)
                    .end();
            }
            WhenMatched::Fail => {
                return Err(CommandError::location(
                    51181,
                    "Combination of $merge modes whenMatched: fail and whenNotMatched: other than \
                     insert is not supported",
                ));
            }
            WhenMatched::Pipeline(stages) => {
                let stages: Array<'_> = stages.as_array();
                update.append("u", stages).begin_document("c");
                let scope = Scope::of(ValueRef::Document(document), cx.env);
                for (name, expression) in &self.variables {
                    expression.append_to(name, &scope, &mut update)?;
                }
                update.end();
            }
        }
        update.append("upsert", self.not_matched == WhenNotMatched::Insert);
        let mut updates = ArrayBuilder::new();
        updates.push(&update.finish());
        command.append("update", collection);
        command.append("updates", &updates.finish());
        Ok(command.finish())
    }
}

impl Stage for MergeStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        let Some(mut input) = self.input.take() else {
            return Ok(false);
        };
        let database = self.plan.database.as_deref();
        let fields: Vec<String> = self.plan.on.iter().map(FieldPath::dotted).collect();
        let collection = &self.plan.collection;
        if fields != ["_id"]
            && !cx
                .namespaces
                .has_unique_key(database, collection, &fields)?
        {
            return Err(CommandError::location(
                51183,
                "Cannot find index to verify that join fields will be unique",
            ));
        }
        while input.advance(cx)? {
            let command = self.plan.command(input.current(), cx)?;
            let count = cx.namespaces.write(database, command.as_document())?;
            if count == 0 && self.plan.not_matched == WhenNotMatched::Fail {
                return Err(CommandError::location(
                    13113,
                    "$merge could not find a matching document in the target collection for at least \
                     one document in the source collection",
                ));
            }
        }
        Ok(false)
    }

    fn current(&self) -> Document<'_> {
        Document::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, fails_on, gives};

    #[test]
    fn writes_one_command_a_document() {
        gives(
            "[{$merge: 'target'}]",
            "[{_id: 1, a: 2}]",
            "[{update: 'target', updates: [{q: {_id: {$eq: 1}}, u: {$set: {_id: 1, a: 2}}, upsert: true}]}]",
        );
        gives(
            "[{$merge: {into: 'target', whenMatched: 'replace', whenNotMatched: 'discard'}}]",
            "[{_id: 1}]",
            "[{update: 'target', updates: [{q: {_id: {$eq: 1}}, u: {_id: 1}, upsert: false}]}]",
        );
        gives(
            "[{$merge: {into: 'target', whenMatched: [{$set: {n: '$$new.a'}}]}}]",
            "[{_id: 1, a: 2}]",
            "[{update: 'target', updates: [{q: {_id: {$eq: 1}}, u: [{$set: {n: '$$new.a'}}], \
             c: {new: {_id: 1, a: 2}}, upsert: true}]}]",
        );
        gives(
            "[{$merge: {into: 'target', whenMatched: 'fail'}}]",
            "[{_id: 1}]",
            "[{insert: 'target', documents: [{_id: 1}]}]",
        );
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$merge: 5}]", 51182);
        fails("[{$merge: {into: 'x', q: 1}}]", 40415);
        fails("[{$merge: {into: 'x', whenMatched: 'q'}}]", 2);
        fails_on("[{$merge: 'x'}]", "[{_id: null}]", 51132);
        fails_on("[{$merge: {into: 'x', on: 'a'}}]", "[{a: 1}]", 51183);
    }
}
