//! `$out`: replaces a collection with its input, and gives nothing.
//!
//! Follows the manual's "$out (aggregation)" page. Invariant: documents are handed over in batches, and the collection
//! changes only once all have come.

use super::super::stage::{Flow, StagePlan};
use super::super::writing::{Target, Writer};
use super::foreign;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};
use crate::catalog::names;
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Namespaces, Stage};
use crate::expr::growth::allow_result;
use crate::expr::{CompileContext, Dependencies};

type Result<T> = std::result::Result<T, CommandError>;

struct OutPlan {
    database: String,
    collection: String,
    /// The options of the time series that it makes.
    series: Option<DocumentBuf>,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let series = match specification {
        ValueRef::Document(fields) => match fields.get("timeseries") {
            ValueRef::Missing | ValueRef::Null => None,
            ValueRef::Document(series) => Some(series.to_buf()),
            other => {
                return Err(CommandError::new(
                    Code::TypeMismatch,
                    format!(
                        "BSON field '$out.timeseries' is the wrong type '{}', expected type 'object'",
                        other.type_name()
                    ),
                ));
            }
        },
        _ => None,
    };
    let (database, collection) = match specification {
        ValueRef::String(name) => (String::new(), names::of(name)?.to_owned()),
        ValueRef::Document(fields) => read(fields)?,
        other => {
            return Err(CommandError::location(
                16990,
                format!(
                    "$out only supports a string or object argument, but found {}",
                    other.type_name()
                ),
            ));
        }
    };
    Ok(vec![Box::new(OutPlan {
        database,
        collection,
        series,
    })])
}

fn read(fields: Document<'_>) -> Result<(String, String)> {
    for field in fields.iter() {
        match field.name {
            "db" | "coll" | "timeseries" => {}
            name => return Err(foreign::unknown_field("$out", name)),
        }
    }
    let name = |field: &str| match fields.get(field) {
        ValueRef::String(name) => Ok(names::of(name)?.to_owned()),
        ValueRef::Missing | ValueRef::Null => Err(CommandError::new(
            Code::IDLFailedToParse,
            format!("BSON field '$out.{field}' is missing but a required field"),
        )),
        other => Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field '$out.{field}' is the wrong type '{}', expected type 'string'",
                other.type_name()
            ),
        )),
    };
    let (database, collection) = (name("db")?, name("coll")?);
    // Before `prepare`, no name stands for the pipeline's own database.
    match database.is_empty() {
        true => Err(invalid(&database, &collection)),
        false => Ok((database, collection)),
    }
}

impl StagePlan for OutPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        input
    }

    fn into_writer(self: Box<Self>) -> Option<Box<dyn Writer>> {
        Some(Box::new(OutWriter {
            plan: self,
            documents: Vec::new(),
            bytes: 0,
        }))
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder
            .begin_document("$out")
            .append("coll", self.collection.as_str())
            .append("db", self.database.as_str());
        if let Some(series) = &self.series {
            builder.append("timeseries", series);
        }
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
        if !foreign::is_target(database, collection) {
            return Err(invalid(database, collection));
        }
        if foreign::is_system(collection) {
            return Err(CommandError::location(
                17385,
                format!("Can't $out to special collection: {collection}"),
            ));
        }
        if foreign::is_internal(database) {
            return Err(CommandError::location(
                31321,
                format!("Can't $out to internal database: {database}"),
            ));
        }
        foreign::check_creatable(database, collection).map_err(|refusal| {
            CommandError::new(
                Code::IllegalOperation,
                format!("error with target namespace: {}", refusal.message),
            )
        })
    }
}

fn invalid(database: &str, collection: &str) -> CommandError {
    CommandError::new(
        Code::InvalidNamespace,
        format!("Invalid $out target namespace, {database}.{collection}"),
    )
}

struct OutWriter {
    plan: Box<OutPlan>,
    /// The batch.
    documents: Vec<DocumentBuf>,
    bytes: usize,
}

impl Writer for OutWriter {
    fn begin(&mut self, target: &mut dyn Target) -> Result<()> {
        let series = self.plan.series.as_ref().map(DocumentBuf::as_document);
        target.begin_replacing(&self.plan.database, &self.plan.collection, series)
    }

    fn take(
        &mut self,
        document: Document<'_>,
        _: &ExecContext<'_>,
        _: &mut dyn FnMut() -> [u8; 12],
    ) -> Result<bool> {
        allow_result(document)?;
        self.bytes += document.as_bytes().len();
        self.documents.push(document.to_buf());
        Ok(self.bytes < MAX_DOCUMENT_SIZE)
    }

    fn write(&mut self, target: &mut dyn Target) -> Result<()> {
        target.add_to_replacement(&self.documents)?;
        self.documents.clear();
        self.bytes = 0;
        Ok(())
    }

    fn finish(&mut self, target: &mut dyn Target) -> Result<()> {
        target.finish_replacing()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn hands_everything_over() {
        // The test's namespaces list the written documents behind those that came out.
        gives(
            "[{$match: {a: {$gt: 1}}}, {$out: 'target'}]",
            "[{a: 1}, {a: 2}]",
            "[{a: 2}]",
        );
        fails("[{$out: 5}]", 16990);
        fails("[{$out: {coll: 'x'}}]", 40414);
        fails("[{$out: {db: null, coll: 'x'}}]", 40414);
        fails("[{$out: {db: '', coll: 'x'}}]", 73);
        fails("[{$out: {db: 'd', coll: 5}}]", 14);
        fails("[{$out: {db: 'd', coll: 'x', mode: 1}}]", 40415);
        fails("[{$facet: {x: [{$out: 'y'}]}}]", 40600);
    }
}
