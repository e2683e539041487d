//! A filter taken apart into the clauses that the server tells of one by one.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::query::compile::is_operators;

/// One predicate of a filter.
pub struct Clause {
    /// The predicate as a filter of its own.
    pub filter: DocumentBuf,
    /// The operator; `$eq` and `$regex` for values without one.
    pub operator: String,
    /// The field; `None` for an operator at the top.
    pub path: Option<String>,
}

impl Clause {
    /// The operator's operand.
    pub fn operand(&self) -> ValueRef<'_> {
        let outer = self.filter.as_document().iter().next();
        let value = outer.map_or(ValueRef::Missing, |element| element.value);
        match value {
            ValueRef::Document(operators) if self.path.is_some() => {
                match operators.get(&self.operator) {
                    ValueRef::Missing => value,
                    operand => operand,
                }
            }
            value => value,
        }
    }
}

/// The clauses of a filter, in its order.
pub fn split(filter: Document<'_>) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for element in filter.iter() {
        let mut push = |operator: &str, path: Option<&str>, filter: DocumentBuf| {
            clauses.push(Clause {
                filter,
                operator: operator.to_owned(),
                path: path.map(str::to_owned),
            });
        };
        let whole = || {
            let mut builder = DocumentBuilder::new();
            builder.append(element.name, element.value);
            builder.finish()
        };
        if element.name.starts_with('$') && !matches!(element.name, "$ref" | "$id" | "$db") {
            if element.name != "$comment" {
                push(element.name, None, whole());
            }
            continue;
        }
        match element.value {
            ValueRef::Document(operators) if is_operators(element.value, false) => {
                for operator in operators.iter() {
                    let mut builder = DocumentBuilder::new();
                    builder.begin_document(element.name);
                    builder.append(operator.name, operator.value);
                    let options = operators.get("$options");
                    match operator.name {
                        "$options" => continue,
                        "$regex" if !options.is_missing() => {
                            builder.append("$options", options);
                        }
                        _ => {}
                    }
                    builder.end();
                    push(operator.name, Some(element.name), builder.finish());
                }
            }
            ValueRef::Regex { .. } => push("$regex", Some(element.name), whole()),
            _ => push("$eq", Some(element.name), whole()),
        }
    }
    clauses
}
