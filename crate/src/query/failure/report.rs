//! The report of a failed document: the walk over the logical operators.
//!
//! Follows the manual's "Schema Validation" pages. Invariant: inside a negation clauses are told of because they
//! matched, outside because they did not.

use super::clauses::{Clause, split};
use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, MAX_NESTING, ValueRef, validate};
use crate::expr::{self, CompileContext, Scope};
use crate::query::matcher::Matcher;

/// A larger report leaves out operands and values.
const MOST_BYTES: usize = 12 << 20;
/// How deep the reply and the report's own frame nest around the details.
const FRAME_NESTING: usize = 8;

/// Makes reports with one compile context.
pub struct Reporter<'c> {
    pub(super) context: &'c CompileContext<'c>,
    /// Whether the operands and values are left out.
    pub(super) truncate: bool,
}

/// The `errInfo` of a document that fails a filter: `{failingDocumentId, details}`.
pub fn describe_failure(
    filter: Document<'_>,
    document: Document<'_>,
    context: &CompileContext<'_>,
) -> DocumentBuf {
    for truncate in [false, true] {
        let reporter = Reporter { context, truncate };
        let details = reporter.filter(filter, document, false);
        let mut report = DocumentBuilder::new();
        report.append("failingDocumentId", document.get("_id"));
        if truncate {
            report.append("truncated", true);
        }
        report.append("details", &details);
        let report = report.finish();
        if report.as_bytes().len() > MOST_BYTES {
            continue;
        }
        if validate(report.as_bytes()).is_ok_and(|depth| depth + FRAME_NESTING <= MAX_NESTING) {
            return report;
        }
        let mut report = DocumentBuilder::new();
        report
            .append("reason", "generated error was too deeply nested")
            .append("truncated", true);
        return report.finish();
    }
    let mut report = DocumentBuilder::new();
    report
        .append("failingDocumentId", document.get("_id"))
        .append("note", "detailed error was too large");
    report.finish()
}

/// The documents of an array of filters.
fn filters(operand: ValueRef<'_>) -> impl Iterator<Item = Document<'_>> {
    let array = operand.as_array();
    array
        .into_iter()
        .flat_map(|array: Array<'_>| array.iter())
        .filter_map(ValueRef::as_document)
}

impl Reporter<'_> {
    /// Begins the entry of an operator: its name and how it was written.
    pub(super) fn begin(&self, operator: &str, source: Document<'_>) -> DocumentBuilder {
        let mut builder = DocumentBuilder::new();
        builder.append("operatorName", operator);
        if !self.truncate {
            builder.append("specifiedAs", source);
        }
        builder
    }

    fn matches(&self, filter: Document<'_>, document: Document<'_>) -> Option<bool> {
        Matcher::compile(filter, self.context)
            .and_then(|matcher| matcher.matches(document, self.context.env))
            .ok()
    }

    /// Tells of a whole filter.
    pub(super) fn filter(
        &self,
        filter: Document<'_>,
        document: Document<'_>,
        inverted: bool,
    ) -> DocumentBuf {
        let clauses = split(filter);
        match clauses.as_slice() {
            [clause] => self.clause(clause, document, inverted),
            clauses => {
                let clauses = clauses.iter().map(|clause| clause.filter.as_document());
                // Several predicates side by side are a conjunction.
                self.logical("$and", clauses, document, inverted, !inverted)
            }
        }
    }

    /// Tells of the clauses that count: all, or those whose outcome is to blame.
    fn logical<'f>(
        &self,
        operator: &str,
        clauses: impl Iterator<Item = Document<'f>>,
        document: Document<'_>,
        inverted: bool,
        only_to_blame: bool,
    ) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        builder.append("operatorName", operator);
        builder.begin_array(if inverted {
            "clausesSatisfied"
        } else {
            "clausesNotSatisfied"
        });
        let mut told = 0;
        for (index, clause) in clauses.enumerate() {
            // A clause that fails to be evaluated is told of too.
            if only_to_blame && self.matches(clause, document) == Some(!inverted) {
                continue;
            }
            let mut item = DocumentBuilder::new();
            item.append("index", index as i32)
                .append("details", &self.filter(clause, document, inverted));
            builder.push_item(told, &item.finish());
            told += 1;
        }
        builder.end();
        builder.finish()
    }

    fn clause(&self, clause: &Clause, document: Document<'_>, inverted: bool) -> DocumentBuf {
        let operand = clause.operand();
        match (clause.operator.as_str(), &clause.path) {
            ("$and", None) => self.logical("$and", filters(operand), document, inverted, !inverted),
            ("$or", None) => self.logical("$or", filters(operand), document, inverted, inverted),
            ("$nor", None) => {
                self.logical("$nor", filters(operand), document, !inverted, !inverted)
            }
            ("$not", Some(path)) => {
                let mut negated = DocumentBuilder::new();
                negated.append(path, operand);
                let negated = negated.finish();
                let mut builder = DocumentBuilder::new();
                builder.append("operatorName", "$not").append(
                    "details",
                    &self.filter(negated.as_document(), document, !inverted),
                );
                builder.finish()
            }
            ("$expr", None) => self.expression(clause, document, inverted),
            ("$jsonSchema", None) => match operand.as_document() {
                Some(schema) => self.json_schema(schema, document, inverted),
                None => DocumentBuf::default(),
            },
            (_, Some(path)) => self.leaf(clause, path, document, inverted).finish(),
            (operator, None) => {
                let mut builder = self.begin(operator, clause.filter.as_document());
                builder.append(
                    "reason",
                    if inverted {
                        "expression always evaluates to true"
                    } else {
                        "expression always evaluates to false"
                    },
                );
                builder.finish()
            }
        }
    }

    fn expression(&self, clause: &Clause, document: Document<'_>, inverted: bool) -> DocumentBuf {
        let mut builder = self.begin("$expr", clause.filter.as_document());
        let scope = Scope::of(ValueRef::Document(document), self.context.env);
        let compiled = expr::compile(clause.operand(), self.context);
        match compiled
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|compiled| compiled.evaluate(&scope))
        {
            Ok(value) => {
                builder
                    .append(
                        "reason",
                        if inverted {
                            "expression did match"
                        } else {
                            "expression did not match"
                        },
                    )
                    .append("expressionResult", value.as_ref());
            }
            Err(error) => {
                builder.append("reason", "failed to evaluate aggregation expression");
                builder
                    .begin_document("details")
                    .append("code", error.code)
                    .append("codeName", error.code_name().as_str())
                    .append("errmsg", error.message.as_str())
                    .end();
            }
        }
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{TestEnv, document};

    fn details(filter: &str, subject: &str) -> String {
        let (filter, subject) = (document(filter), document(subject));
        let context = CompileContext::new(&TestEnv, 0);
        let report = describe_failure(filter.as_document(), subject.as_document(), &context);
        match report.get("details") {
            ValueRef::Document(details) => details.to_string(),
            _ => report.as_document().to_string(),
        }
    }

    #[test]
    fn predicates_tell_what_they_considered() {
        assert_eq!(
            details("{a: {$gt: 5}}", "{a: 3}"),
            "{ operatorName: \"$gt\", specifiedAs: { a: { $gt: 5 } }, reason: \"comparison failed\", consideredValue: 3 }"
        );
        assert_eq!(
            details("{a: 1}", "{a: [2, 3]}"),
            "{ operatorName: \"$eq\", specifiedAs: { a: 1 }, reason: \"comparison failed\", consideredValues: [ 2, 3 ] }"
        );
        assert_eq!(
            details("{a: {$ne: 1}}", "{a: 1}"),
            "{ operatorName: \"$ne\", specifiedAs: { a: { $ne: 1 } }, reason: \"comparison succeeded\", consideredValue: 1 }"
        );
        assert_eq!(
            details("{a: {$size: 2}}", "{a: \"x\"}"),
            "{ operatorName: \"$size\", specifiedAs: { a: { $size: 2 } }, reason: \"type did not match\", \
             consideredType: \"string\", expectedType: \"array\", consideredValue: \"x\" }"
        );
        assert_eq!(
            details("{\"a.b\": {$mod: [2, 0]}}", "{a: {b: \"x\"}}"),
            "{ operatorName: \"$mod\", specifiedAs: { a.b: { $mod: [ 2, 0 ] } }, reason: \"type did not match\", \
             consideredType: \"string\", expectedTypes: [ \"decimal\", \"double\", \"int\", \"long\" ], consideredValue: \"x\" }"
        );
        assert_eq!(
            details("{a: {$exists: true}}", "{b: 1}"),
            "{ operatorName: \"$exists\", specifiedAs: { a: { $exists: true } }, reason: \"path does not exist\" }"
        );
        assert_eq!(
            details("{a: {$exists: false}}", "{a: 1}"),
            "{ operatorName: \"$exists\", specifiedAs: { a: { $exists: false } }, reason: \"path does exist\" }"
        );
    }

    #[test]
    fn logical_operators_tell_of_the_clauses_to_blame() {
        assert_eq!(
            details("{a: {$gt: 0, $lt: 10}}", "{a: 11}"),
            "{ operatorName: \"$and\", clausesNotSatisfied: [ { index: 1, details: { operatorName: \"$lt\", \
             specifiedAs: { a: { $lt: 10 } }, reason: \"comparison failed\", consideredValue: 11 } } ] }"
        );
        assert_eq!(
            details("{$nor: [{a: 1}, {b: 1}]}", "{a: 2, b: 1}"),
            "{ operatorName: \"$nor\", clausesSatisfied: [ { index: 1, details: { operatorName: \"$eq\", \
             specifiedAs: { b: 1 }, reason: \"comparison succeeded\", consideredValue: 1 } } ] }"
        );
        assert_eq!(
            details("{a: {$not: {$gt: 1}}}", "{a: 5}"),
            "{ operatorName: \"$not\", details: { operatorName: \"$gt\", specifiedAs: { a: { $gt: 1 } }, \
             reason: \"comparison succeeded\", consideredValue: 5 } }"
        );
        assert_eq!(
            details("{$expr: {$gt: [\"$a\", 5]}}", "{a: 1}"),
            "{ operatorName: \"$expr\", specifiedAs: { $expr: { $gt: [ \"$a\", 5 ] } }, reason: \"expression did not match\", \
             expressionResult: false }"
        );
    }

    #[test]
    fn schemas_tell_rule_by_rule() {
        assert_eq!(
            details(
                "{$jsonSchema: {title: \"T\", required: [\"b\", \"a\"], properties: {c: {description: \"d\", bsonType: \"int\", minimum: 3}}}}",
                "{c: \"x\"}"
            ),
            "{ operatorName: \"$jsonSchema\", title: \"T\", schemaRulesNotSatisfied: [ { operatorName: \"properties\", \
             propertiesNotSatisfied: [ { propertyName: \"c\", description: \"d\", details: [ { operatorName: \"bsonType\", \
             specifiedAs: { bsonType: \"int\" }, reason: \"type did not match\", consideredValue: \"x\", consideredType: \"string\" } ] } ] }, \
             { operatorName: \"required\", specifiedAs: { required: [ \"b\", \"a\" ] }, missingProperties: [ \"a\", \"b\" ] } ] }"
        );
        assert_eq!(
            details("{$nor: [{$jsonSchema: {minimum: 1}}]}", "{a: 2}"),
            "{ operatorName: \"$nor\", clausesSatisfied: [ { index: 0, details: { operatorName: \"$jsonSchema\", \
             reason: \"schema matched\" } } ] }"
        );
        assert_eq!(
            details("{$jsonSchema: {bsonType: \"number\"}}", "{a: 2}"),
            "{ operatorName: \"$jsonSchema\", specifiedAs: { $jsonSchema: { bsonType: \"number\" } }, \
             reason: \"expression always evaluates to false\" }"
        );
    }
}
