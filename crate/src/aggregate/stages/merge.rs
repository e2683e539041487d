//! `$merge`: writes what comes in into a collection, document by document, and gives nothing.
//!
//! Follows the manual's "$merge (aggregation)" page. Invariant: each batch becomes one unordered write
//! command, so that indexes, validators and limits apply as they do to a client's.

use super::super::stage::{Flow, StagePlan};
use super::super::writing::{Target, Writer};
use super::foreign;
use crate::bson::{
    Array, ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE,
    ValueRef,
};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Namespaces, Stage};
use crate::expr::growth::allow_result;
use crate::expr::{
    CompileContext, Dependencies, Expression, FieldPath, Scope, compile as compile_expression,
};

type Result<T> = std::result::Result<T, CommandError>;

/// The most statements one write command may have.
const MOST_STATEMENTS: usize = 100_000;

/// What to do with a document that the target has.
enum WhenMatched {
    Replace,
    KeepExisting,
    Merge,
    Fail,
    Pipeline(ArrayBuf),
}

impl WhenMatched {
    fn name(&self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::KeepExisting => "keepExisting",
            Self::Merge => "merge",
            Self::Fail => "fail",
            Self::Pipeline(_) => "pipeline",
        }
    }
}

/// What to do with one that it lacks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenNotMatched {
    Insert,
    Discard,
    Fail,
}

impl WhenNotMatched {
    fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Discard => "discard",
            Self::Fail => "fail",
        }
    }
}

struct MergePlan {
    /// Empty until `prepare`, for the pipeline's own.
    database: String,
    collection: String,
    on: Vec<FieldPath>,
    /// What `let` defines, as it was given.
    given: Option<DocumentBuf>,
    variables: Vec<(String, Expression)>,
    matched: WhenMatched,
    not_matched: WhenNotMatched,
    collation: Collation,
}

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
        given: None,
        variables: Vec::new(),
        matched: WhenMatched::Merge,
        not_matched: WhenNotMatched::Insert,
        collation: context.collation.clone(),
    };
    match specification {
        ValueRef::String(name) => plan.collection = name.to_owned(),
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

/// Compiles `let`, which only a pipeline may have; `new` is what came in.
fn read_variables(plan: &mut MergePlan, context: &CompileContext<'_>) -> Result<()> {
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
                ValueRef::String("$$ROOT") => true,
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
        // `new` is the server's own name for what came in; nobody else's may be reserved.
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
        ValueRef::String("") => Err(CommandError::location(
            5_786_800,
            "$merge 'into' field cannot be an empty string",
        )),
        ValueRef::String(name) => {
            plan.collection = name.to_owned();
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
                    ValueRef::String(name) => *slot = name.to_owned(),
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
        ValueRef::String(path) => plan.on.push(FieldPath::parse(path)?),
        ValueRef::Array(paths) => {
            for path in paths.iter() {
                let text = path.as_str().ok_or_else(|| {
                    CommandError::location(
                        51134,
                        format!(
                            "$merge 'on' array elements must be strings, but found {}",
                            path.type_name()
                        ),
                    )
                })?;
                let path = FieldPath::parse(text)?;
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

fn read(fields: Document<'_>, plan: &mut MergePlan) -> Result<()> {
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
        if fields != ["_id"]
            && !namespaces.has_unique_key(database, collection, &fields, &self.collation)
        {
            return Err(CommandError::location(
                51183,
                "Cannot find index to verify that join fields will be unique",
            ));
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
            if value.is_nullish() {
                let path = path.dotted();
                return Err(CommandError::location(
                    51132,
                    format!(
                        "$merge write error: 'on' field '{path}' cannot be missing, null or undefined"
                    ),
                ));
            }
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

    /// Says of a refused write what it means for this stage.
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
        fails_on("[{$merge: 'x'}]", "[{_id: null}]", 51132);
        fails_on("[{$merge: 'x'}]", "[{_id: [1]}]", 51185);
    }
}
