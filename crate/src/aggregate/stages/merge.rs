//! `$merge`: writes its input into a collection, document by document, and gives nothing.
//!
//! Follows the manual's "$merge (aggregation)" page. Invariant: each batch becomes one unordered write
//! command, so that indexes, validators and limits apply as they do to a client's.

use super::super::stage::{Flow, StagePlan};
use super::super::writing::{Target, Writer};
use super::foreign;
use super::merge_specification::{MergePlan, WhenMatched, WhenNotMatched, read, read_variables};
use crate::bson::{
    Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef,
};
use crate::catalog::names;
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Namespaces, Stage};
use crate::expr::growth::allow_result;
use crate::expr::{CompileContext, Dependencies, FieldPath, Scope};

type Result<T> = std::result::Result<T, CommandError>;

/// The most statements one write command may have.
const MOST_STATEMENTS: usize = 100_000;

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let mut plan = MergePlan {
        database: String::new(),
        collection: String::new(),
        on: Vec::new(),
        may_lack: true,
        given: None,
        variables: Vec::new(),
        matched: WhenMatched::Merge,
        not_matched: WhenNotMatched::Insert,
        collation: context.collation.clone(),
    };
    match specification {
        ValueRef::String(name) => plan.collection = names::of(name)?.to_owned(),
        ValueRef::Document(fields) => read(fields, &mut plan)?,
        other => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "$merge requires a string or object argument, but found {}",
                    other.type_name()
                ),
            ));
        }
    }
    let supported = match plan.matched {
        WhenMatched::KeepExisting | WhenMatched::Fail => plan.not_matched == WhenNotMatched::Insert,
        _ => true,
    };
    if !supported {
        return Err(CommandError::location(
            51181,
            format!(
                "Combination of $merge modes 'whenMatched: {}' and 'whenNotMatched: {}' is not \
                 supported",
                plan.matched.name(),
                plan.not_matched.name()
            ),
        ));
    }
    if plan.on.is_empty() {
        plan.on.push(FieldPath::parse("_id")?);
    }
    read_variables(&mut plan, context)?;
    Ok(vec![Box::new(plan)])
}

impl StagePlan for MergePlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        input
    }

    fn into_writer(self: Box<Self>) -> Option<Box<dyn Writer>> {
        Some(Box::new(MergeWriter {
            plan: self,
            statements: ArrayBuilder::new(),
            count: 0,
            bytes: 0,
        }))
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$merge");
        builder
            .begin_document("into")
            .append("db", self.database.as_str())
            .append("coll", self.collection.as_str())
            .end();
        match self.on.as_slice() {
            [one] => {
                builder.append("on", one.dotted().as_str());
            }
            several => {
                builder.begin_array("on");
                for (position, path) in several.iter().enumerate() {
                    builder.push_item(position, path.dotted().as_str());
                }
                builder.end();
            }
        }
        if let Some(given) = &self.given {
            builder.append("let", given);
        }
        match &self.matched {
            WhenMatched::Pipeline(stages) => builder.append("whenMatched", stages),
            other => builder.append("whenMatched", other.name()),
        };
        builder.append("whenNotMatched", self.not_matched.name());
        builder.end();
    }

    fn writes(&self) -> bool {
        true
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Exhausts
    }

    fn prepare(&mut self, namespaces: &dyn Namespaces) -> Result<()> {
        if self.database.is_empty() {
            self.database = namespaces.database().to_owned();
        }
        let (database, collection) = (&self.database, &self.collection);
        if !foreign::is_valid_target(database, collection) {
            return Err(CommandError::new(
                Code::InvalidNamespace,
                format!("Invalid $merge target namespace: '{database}.{collection}'"),
            ));
        }
        let fields: Vec<String> = self.on.iter().map(FieldPath::dotted).collect();
        if fields != ["_id"] {
            let key = namespaces.unique_key(database, collection, &fields, &self.collation);
            self.may_lack = key.ok_or_else(|| {
                CommandError::location(
                    51183,
                    "Cannot find index to verify that join fields will be unique",
                )
            })?;
        }
        if foreign::is_system(collection) {
            return Err(CommandError::location(
                31319,
                format!("Cannot $merge to special collection: {collection}"),
            ));
        }
        if foreign::is_internal(database) {
            return Err(CommandError::location(
                31320,
                format!("Cannot $merge to internal database: {database}"),
            ));
        }
        Ok(())
    }
}

struct MergeWriter {
    plan: Box<MergePlan>,
    /// The batch.
    statements: ArrayBuilder,
    count: usize,
    bytes: usize,
}

impl MergePlan {
    /// The filter that finds a document's counterpart.
    fn filter(&self, document: Document<'_>) -> Result<DocumentBuf> {
        let mut builder = DocumentBuilder::new();
        for path in &self.on {
            let mut value = ValueRef::Document(document);
            for part in path.parts() {
                value = match value {
                    ValueRef::Document(inner) => inner.get(part),
                    _ => ValueRef::Missing,
                };
                if let ValueRef::Array(_) = value {
                    let path = path.dotted();
                    return Err(CommandError::location(
                        51185,
                        format!("$merge write error: 'on' field '{path}' is an array"),
                    ));
                }
            }
            if value.is_nullish() && !self.may_lack {
                let path = path.dotted();
                return Err(CommandError::location(
                    51132,
                    format!(
                        "$merge write error: 'on' field '{path}' cannot be missing, null or undefined"
                    ),
                ));
            }
            let value = match value.is_nullish() {
                true => ValueRef::Null,
                false => value,
            };
            builder
                .begin_document(&path.dotted())
                .append("$eq", value)
                .end();
        }
        Ok(builder.finish())
    }

    fn inserts(&self) -> bool {
        matches!(self.matched, WhenMatched::Fail)
    }

    /// The statement for one document.
    fn statement(&self, document: Document<'_>, cx: &ExecContext<'_>) -> Result<DocumentBuf> {
        let filter = self.filter(document)?;
        if self.inserts() {
            return Ok(document.to_buf());
        }
        let mut update = DocumentBuilder::new();
        update.append("q", &filter);
        match &self.matched {
            WhenMatched::Replace | WhenMatched::Fail => {
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
            WhenMatched::Pipeline(stages) => {
                let stages: Array<'_> = stages.as_array();
                update.append("u", stages).begin_document("c");
                let scope = Scope::of(ValueRef::Document(document), cx.env);
                for (name, expression) in &self.variables {
                    expression.append_to(name, &scope, &mut update)?;
                }
                update.end();
                if self.not_matched == WhenNotMatched::Insert {
                    update.append("upsertSupplied", true);
                }
            }
        }
        update.append("upsert", self.not_matched == WhenNotMatched::Insert);
        if let Some(collation) = self.collation.spec() {
            update.append("collation", &collation);
        }
        Ok(update.finish())
    }

    /// The same document with an `_id`, where one is needed to join and there is none.
    fn with_id(
        &self,
        document: Document<'_>,
        new_id: &mut dyn FnMut() -> [u8; 12],
    ) -> Option<DocumentBuf> {
        let joins_on_id = || self.on.iter().any(|path| path.dotted() == "_id");
        if !document.get("_id").is_missing() || !joins_on_id() {
            return None;
        }
        let mut builder = DocumentBuilder::new();
        builder.append("_id", ValueRef::ObjectId(new_id()));
        builder.append_all(document);
        Some(builder.finish())
    }

    /// Writes a batch of statements.
    fn flush(&self, statements: ArrayBuilder, count: i64, target: &mut dyn Target) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let (verb, list) = match self.inserts() {
            true => ("insert", "documents"),
            false => ("update", "updates"),
        };
        let mut command = DocumentBuilder::new();
        command
            .append(verb, self.collection.as_str())
            .append(list, &statements.finish())
            .append("ordered", false);
        let done = target
            .write(&self.database, command.finish().as_document())
            .map_err(|error| self.explained(error))?;
        if self.not_matched == WhenNotMatched::Fail && done < count {
            return Err(CommandError::new(
                Code::MergeStageNoMatchingDocument,
                "$merge could not find a matching document in the target collection for at least \
                 one document in the source collection",
            ));
        }
        Ok(())
    }

    /// The error of a refused write in the words of `$merge`.
    fn explained(&self, error: CommandError) -> CommandError {
        if error.code == Code::ImmutableField as i32 {
            return error.within(
                "$merge failed to update the matching document, did you attempt to modify the _id \
                 or the shard key?",
            );
        }
        if error.code != Code::DuplicateKey as i32 {
            return error;
        }
        let details = error.details.as_deref().map(Document::from_valid_bytes);
        let pattern = details.and_then(|details| details.get("keyPattern").as_document());
        let is_on = pattern.is_some_and(|pattern| {
            pattern.len() == self.on.len()
                && self
                    .on
                    .iter()
                    .all(|path| !pattern.get(&path.dotted()).is_missing())
        });
        error.within(if self.inserts() && is_on {
            "$merge with whenMatched: fail found an existing document with the same values for the \
             'on' fields"
        } else {
            "$merge failed due to a DuplicateKey error"
        })
    }
}

impl Writer for MergeWriter {
    fn take(
        &mut self,
        document: Document<'_>,
        context: &ExecContext<'_>,
        new_id: &mut dyn FnMut() -> [u8; 12],
    ) -> Result<bool> {
        allow_result(document)?;
        let made = self.plan.with_id(document, new_id);
        let document = made.as_ref().map_or(document, DocumentBuf::as_document);
        let statement = self.plan.statement(document, context)?;
        self.bytes += statement.as_bytes().len();
        self.statements.push(&statement);
        self.count += 1;
        Ok(self.bytes < MAX_DOCUMENT_SIZE && self.count < MOST_STATEMENTS)
    }

    fn write(&mut self, target: &mut dyn Target) -> Result<()> {
        let statements = std::mem::take(&mut self.statements);
        let count = std::mem::take(&mut self.count);
        self.bytes = 0;
        self.plan.flush(statements, count as i64, target)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, fails_on, gives};

    #[test]
    fn writes_one_command_a_batch() {
        gives(
            "[{$merge: 'target'}]",
            "[{_id: 1, a: 2}, {_id: 2}]",
            "[{update: 'target', updates: [{q: {_id: {$eq: 1}}, u: {$set: {_id: 1, a: 2}}, upsert: true}, \
             {q: {_id: {$eq: 2}}, u: {$set: {_id: 2}}, upsert: true}], ordered: false}]",
        );
        gives(
            "[{$merge: {into: 'target', whenMatched: 'replace', whenNotMatched: 'discard'}}]",
            "[{_id: 1}]",
            "[{update: 'target', updates: [{q: {_id: {$eq: 1}}, u: {_id: 1}, upsert: false}], \
             ordered: false}]",
        );
        gives(
            "[{$merge: {into: 'target', whenMatched: [{$set: {n: '$$new.a'}}]}}]",
            "[{_id: 1, a: 2}]",
            "[{update: 'target', updates: [{q: {_id: {$eq: 1}}, u: [{$set: {n: '$$new.a'}}], \
             c: {new: {_id: 1, a: 2}}, upsertSupplied: true, upsert: true}], ordered: false}]",
        );
        gives(
            "[{$merge: {into: 'target', whenMatched: 'fail'}}]",
            "[{_id: 1}]",
            "[{insert: 'target', documents: [{_id: 1}], ordered: false}]",
        );
        gives("[{$merge: 'target'}]", "[]", "[]");
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$merge: 5}]", 14);
        fails("[{$merge: {into: 5}}]", 51178);
        fails("[{$merge: {into: ''}}]", 5_786_800);
        fails("[{$merge: {into: {db: 'd'}}}]", 5_786_801);
        fails("[{$merge: {on: 'a'}}]", 40414);
        fails("[{$merge: {into: 'x', q: 1}}]", 40415);
        fails("[{$merge: {into: 'x', on: 5}}]", 51186);
        fails("[{$merge: {into: 'x', on: []}}]", 51187);
        fails("[{$merge: {into: 'x', on: ['a', 'a']}}]", 31465);
        fails("[{$merge: {into: 'x', on: [5]}}]", 51134);
        fails("[{$merge: {into: 'x', whenMatched: 'q'}}]", 2);
        fails("[{$merge: {into: 'x', whenMatched: 5}}]", 51191);
        fails(
            "[{$merge: {into: 'x', whenMatched: 'fail', whenNotMatched: 'discard'}}]",
            51181,
        );
        fails("[{$merge: {into: 'x', let: {a: 1}}}]", 51199);
        fails(
            "[{$merge: {into: 'x', let: {new: 1}, whenMatched: []}}]",
            51273,
        );
        fails_on("[{$merge: 'x'}]", "[{_id: [1]}]", 51185);
    }
}
