//! Why a document fails one predicate over a field: the reason, and the values that were considered.

use super::clauses::Clause;
use super::report::Reporter;
use crate::algorithms::sorting;
use crate::bson::{BsonType, Document, DocumentBuilder, ValueRef};
use crate::query::path::{LeafArrays, QueryPath};

/// More values than these are not listed.
const MOST_VALUES: usize = 10;

/// How the server words an operator.
struct Wording {
    operator: &'static str,
    failed: &'static str,
    succeeded: &'static str,
    /// Whether the operator itself is a negation.
    negates: bool,
    /// The types it looks at, sorted by name; none: all.
    types: &'static [&'static str],
    /// Whether an array is one value and not its items.
    whole: bool,
}

const COMPARISON: Wording = Wording {
    operator: "",
    failed: "comparison failed",
    succeeded: "comparison succeeded",
    negates: false,
    types: &[],
    whole: false,
};
const BITS: Wording = Wording {
    failed: "bitwise operator failed to match",
    succeeded: "bitwise operator matched successfully",
    types: &["binData", "decimal", "double", "int", "long"],
    ..COMPARISON
};

const WITHIN: Wording = Wording {
    failed: "none of considered geometries was contained within the expression’s geometry",
    succeeded: "at least one of considered geometries was contained within the expression’s geometry",
    types: &["array", "object"],
    whole: true,
    ..COMPARISON
};

/// Sorted by operator.
const WORDINGS: &[Wording] = &[
    Wording {
        operator: "$all",
        failed: "array did not contain all specified values",
        succeeded: "array did contain all specified values",
        whole: true,
        ..COMPARISON
    },
    Wording {
        operator: "$bitsAllClear",
        ..BITS
    },
    Wording {
        operator: "$bitsAllSet",
        ..BITS
    },
    Wording {
        operator: "$bitsAnyClear",
        ..BITS
    },
    Wording {
        operator: "$bitsAnySet",
        ..BITS
    },
    Wording {
        operator: "$elemMatch",
        failed: "array did not satisfy the child predicate",
        succeeded: "array did satisfy the child predicate",
        types: &["array"],
        whole: true,
        ..COMPARISON
    },
    Wording {
        operator: "$eq",
        ..COMPARISON
    },
    Wording {
        operator: "$geoIntersects",
        failed: "none of considered geometries intersected the expression’s geometry",
        succeeded: "at least one of considered geometries intersected the expression’s geometry",
        ..WITHIN
    },
    Wording {
        operator: "$geoWithin",
        ..WITHIN
    },
    Wording {
        operator: "$gt",
        ..COMPARISON
    },
    Wording {
        operator: "$gte",
        ..COMPARISON
    },
    Wording {
        operator: "$in",
        failed: "no matching value found in array",
        succeeded: "matching value found in array",
        ..COMPARISON
    },
    Wording {
        operator: "$lt",
        ..COMPARISON
    },
    Wording {
        operator: "$lte",
        ..COMPARISON
    },
    Wording {
        operator: "$mod",
        failed: "$mod did not evaluate to expected remainder",
        succeeded: "$mod did evaluate to expected remainder",
        types: &["decimal", "double", "int", "long"],
        ..COMPARISON
    },
    Wording {
        operator: "$ne",
        negates: true,
        ..COMPARISON
    },
    Wording {
        operator: "$nin",
        failed: "no matching value found in array",
        succeeded: "matching value found in array",
        negates: true,
        ..COMPARISON
    },
    Wording {
        operator: "$regex",
        failed: "regular expression did not match",
        succeeded: "regular expression did match",
        types: &["regex", "string", "symbol"],
        ..COMPARISON
    },
    Wording {
        operator: "$size",
        failed: "array length was not equal to given size",
        succeeded: "array length was equal to given size",
        types: &["array"],
        whole: true,
        ..COMPARISON
    },
    Wording {
        operator: "$type",
        failed: "type did not match",
        succeeded: "type did match",
        ..COMPARISON
    },
    Wording {
        operator: "$within",
        ..WITHIN
    },
];

/// The values that a path leads to.
struct Considered<'d> {
    values: Vec<ValueRef<'d>>,
    /// Whether the path leads anywhere.
    exists: bool,
    truncated: bool,
}

fn considered<'d>(path: &str, document: Document<'d>, whole: bool) -> Considered<'d> {
    let mut found = Considered {
        values: Vec::new(),
        exists: false,
        truncated: false,
    };
    QueryPath::new(path).visit(document, LeafArrays::Whole, &mut |element, _| {
        if element.kind == BsonType::Missing {
            return true;
        }
        found.exists = true;
        let items = match element.value() {
            ValueRef::Array(items) if !whole => items.iter().collect(),
            value => vec![value],
        };
        for value in items {
            found.truncated = found.values.len() == MOST_VALUES;
            if found.truncated {
                return true;
            }
            found.values.push(value);
        }
        false
    });
    found
}

fn append_names(builder: &mut DocumentBuilder, one: &str, several: &str, names: &[&str]) {
    match names {
        [] => {}
        [name] => {
            builder.append(one, *name);
        }
        names => {
            builder.begin_array(several);
            for (position, name) in names.iter().enumerate() {
                builder.push_item(position, *name);
            }
            builder.end();
        }
    }
}

/// The different types of values, sorted by name.
fn type_names<'d>(values: &[ValueRef<'d>]) -> Vec<&'static str> {
    let mut names: Vec<_> = values.iter().map(|value| value.type_name()).collect();
    sorting::sort(&mut names);
    names.dedup();
    names
}

impl Reporter<'_> {
    /// Tells of a predicate over a field.
    pub(super) fn leaf(
        &self,
        clause: &Clause,
        path: &str,
        document: Document<'_>,
        inverted: bool,
    ) -> DocumentBuilder {
        let mut builder = self.begin(&clause.operator, clause.filter.as_document());
        if clause.operator == "$exists" {
            let exists = clause.operand().is_truthy() == inverted;
            builder.append(
                "reason",
                if exists {
                    "path does exist"
                } else {
                    "path does not exist"
                },
            );
            return builder;
        }
        let Some(wording) = WORDINGS
            .binary_search_by(|wording| wording.operator.cmp(&clause.operator))
            .ok()
            .and_then(|position| WORDINGS.get(position))
        else {
            return builder;
        };
        let found = considered(path, document, wording.whole);
        let expected = wording.types;
        let kinds = type_names(&found.values);
        if !found.exists {
            builder.append("reason", "field was missing");
        } else if !expected.is_empty() && !kinds.iter().any(|kind| expected.contains(kind)) {
            builder.append("reason", "type did not match");
            append_names(&mut builder, "consideredType", "consideredTypes", &kinds);
            append_names(&mut builder, "expectedType", "expectedTypes", expected);
        } else {
            let succeeded = inverted != wording.negates;
            builder.append(
                "reason",
                if succeeded {
                    wording.succeeded
                } else {
                    wording.failed
                },
            );
        }
        if found.exists && !self.truncate {
            match found.values.as_slice() {
                [value] => {
                    builder.append("consideredValue", *value);
                }
                values => {
                    builder.begin_array("consideredValues");
                    for (position, value) in values.iter().enumerate() {
                        builder.push_item(position, *value);
                    }
                    builder.end();
                }
            }
            if found.truncated {
                builder.append("consideredValuesTruncated", true);
            }
        }
        if clause.operator == "$type" && found.exists {
            append_names(&mut builder, "consideredType", "consideredTypes", &kinds);
        }
        builder
    }
}

#[cfg(test)]
mod tests {
    use super::WORDINGS;

    #[test]
    fn wordings_are_sorted() {
        assert!(
            WORDINGS
                .windows(2)
                .all(|pair| pair[0].operator < pair[1].operator)
        );
    }
}
