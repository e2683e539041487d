//! `$jsonSchema`: the document follows a schema.
//!
//! Follows the manual's "$jsonSchema" page; the schema language itself is in `query::schema`.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::query::compile::Compiler;
use crate::query::evaluate::MatchContext;
use crate::query::node::MatchNode;
use crate::query::schema::Schema;
use std::rc::Rc;

/// A compiled schema as a predicate over the whole document (inside `$elemMatch`, over an item).
#[derive(Clone)]
pub struct SchemaTest {
    source: Rc<DocumentBuf>,
    schema: Rc<Schema>,
}

impl SchemaTest {
    /// Whether a document follows the schema.
    pub fn matches(&self, document: Document<'_>, context: &MatchContext<'_>) -> bool {
        self.schema.holds(ValueRef::Document(document), context)
    }

    /// Writes `$jsonSchema: …` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        builder.append("$jsonSchema", self.source.as_document());
    }
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    _: &str,
    value: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let Some(source) = value.as_document() else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            "$jsonSchema must be an object",
        ));
    };
    let schema = Schema::parse(compiler, source)?;
    Ok(Some(MatchNode::JsonSchema(SchemaTest {
        source: Rc::new(source.to_buf()),
        schema: Rc::new(schema),
    })))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matcher, matches};

    #[test]
    fn stands_among_other_predicates() {
        let filter = "{a: 1, $jsonSchema: {required: [\"b\"]}}";
        assert!(matches(filter, "{a: 1, b: 2}"));
        assert!(!matches(filter, "{a: 1}"));
        assert!(matches("{$jsonSchema: {}}", "{a: 1}"));
        let matcher = matcher("{$jsonSchema: {required: [\"b\"]}}").expect("a valid filter");
        assert_eq!(
            format!("{:?}", matcher.root()),
            "{ $jsonSchema: { required: [ \"b\" ] } }"
        );
    }
}
