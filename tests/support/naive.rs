//! A matcher that decodes everything and follows the manual word by word, to hold the real one against.
//!
//! It shares no code with the engine beyond reading BSON, interprets the filter anew for every document, and
//! is as slow as it is simple.

use quire::bson::ValueRef;
use std::cmp::Ordering;

/// A decoded value of the types that the random documents have.
#[derive(Debug, Clone)]
pub enum Tree {
    Undefined,
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    Fields(Vec<(String, Tree)>),
    Items(Vec<Tree>),
}

impl Tree {
    /// Decodes a value; types that the tests do not make become undefined.
    pub fn decode(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Boolean(flag) => Self::Bool(flag),
            ValueRef::Int32(number) => Self::Int(i64::from(number)),
            ValueRef::Int64(number) => Self::Int(number),
            ValueRef::Double(number) => Self::Double(number),
            ValueRef::String(text) => Self::Text(text.to_owned()),
            ValueRef::Document(document) => Self::Fields(
                document
                    .iter()
                    .map(|element| (element.name.to_owned(), Self::decode(element.value)))
                    .collect(),
            ),
            ValueRef::Array(array) => Self::Items(array.iter().map(Self::decode).collect()),
            _ => Self::Undefined,
        }
    }

    fn class(&self) -> u8 {
        match self {
            Self::Undefined => 0,
            Self::Null => 1,
            Self::Int(_) | Self::Double(_) => 2,
            Self::Text(_) => 3,
            Self::Fields(_) => 4,
            Self::Items(_) => 5,
            Self::Bool(_) => 6,
        }
    }

    fn number(&self) -> f64 {
        match self {
            Self::Int(number) => *number as f64,
            Self::Double(number) => *number,
            _ => 0.0,
        }
    }

    fn is_nan(&self) -> bool {
        matches!(self, Self::Double(number) if number.is_nan())
    }

    /// The order of values; NaN is below all numbers.
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Text(one), Self::Text(two)) => one.cmp(two),
            (Self::Bool(one), Self::Bool(two)) => one.cmp(two),
            (Self::Items(one), Self::Items(two)) => {
                for (left, right) in one.iter().zip(two) {
                    let ordering = left.order(right);
                    if ordering.is_ne() {
                        return ordering;
                    }
                }
                one.len().cmp(&two.len())
            }
            (Self::Fields(one), Self::Fields(two)) => {
                for ((name, left), (other, right)) in one.iter().zip(two) {
                    let ordering = left
                        .class()
                        .cmp(&right.class())
                        .then_with(|| name.cmp(other))
                        .then_with(|| left.order(right));
                    if ordering.is_ne() {
                        return ordering;
                    }
                }
                one.len().cmp(&two.len())
            }
            _ if self.class() == 2 && other.class() == 2 => match (self.is_nan(), other.is_nan()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => self
                    .number()
                    .partial_cmp(&other.number())
                    .unwrap_or(Ordering::Equal),
            },
            _ => self.class().cmp(&other.class()),
        }
    }
}

/// What a path finds at one place: a value, or that there is none.
type Found = Option<Tree>;

/// Everything a path finds; `items` says whether an array at the end also counts item by item.
fn reach(from: &Tree, path: &[&str], items: bool) -> Vec<Found> {
    let Tree::Fields(fields) = from else {
        return vec![None];
    };
    let child = fields.iter().find(|(name, _)| name == path[0]);
    match (child, &path[1..]) {
        (None, _) => vec![None],
        (Some((_, Tree::Items(array))), rest) => through(array, rest, items),
        (Some((_, value)), []) => vec![Some(value.clone())],
        (Some((_, value)), rest) => reach(value, rest, items),
    }
}

fn through(array: &[Tree], rest: &[&str], items: bool) -> Vec<Found> {
    let mut found = Vec::new();
    if rest.is_empty() {
        if items {
            found.extend(array.iter().cloned().map(Some));
        }
        found.push(Some(Tree::Items(array.to_vec())));
        return found;
    }
    for (position, item) in array.iter().enumerate() {
        if matches!(item, Tree::Fields(_)) {
            found.extend(reach(item, rest, items));
        }
        if rest[0] == position.to_string() {
            match (item, &rest[1..]) {
                (item, []) => found.push(Some(item.clone())),
                (Tree::Fields(_), after) => found.extend(reach(item, after, items)),
                (Tree::Items(inner), after) => found.extend(through(inner, after, items)),
                _ => {}
            }
        }
    }
    found
}

/// Whether a document matches a filter.
pub fn matches(document: &Tree, filter: &Tree) -> bool {
    let Tree::Fields(parts) = filter else {
        return false;
    };
    parts.iter().all(|(name, argument)| match name.as_str() {
        "$and" => list(argument).iter().all(|part| matches(document, part)),
        "$or" => list(argument).iter().any(|part| matches(document, part)),
        "$nor" => !list(argument).iter().any(|part| matches(document, part)),
        path => {
            let path: Vec<&str> = path.split('.').collect();
            let find = |items: bool| reach(document, &path, items);
            holds(&find, argument)
        }
    })
}

fn list(argument: &Tree) -> &[Tree] {
    match argument {
        Tree::Items(items) => items,
        _ => &[],
    }
}

/// Whether what `find` finds (with or without the items of an array at the end) satisfies a field's condition.
fn holds(find: &dyn Fn(bool) -> Vec<Found>, condition: &Tree) -> bool {
    match condition {
        Tree::Fields(operators)
            if operators
                .first()
                .is_some_and(|(name, _)| name.starts_with('$')) =>
        {
            operators
                .iter()
                .all(|(name, argument)| operator(find, name, argument))
        }
        value => operator(find, "$eq", value),
    }
}

fn operator(find: &dyn Fn(bool) -> Vec<Found>, name: &str, argument: &Tree) -> bool {
    let any = |test: &dyn Fn(&Found) -> bool| find(true).iter().any(test);
    let any_whole = |test: &dyn Fn(&[Tree]) -> bool| {
        find(false)
            .iter()
            .any(|found| matches!(found, Some(Tree::Items(items)) if test(items)))
    };
    match name {
        "$ne" => !operator(find, "$eq", argument),
        "$nin" => !operator(find, "$in", argument),
        "$not" => !holds(find, argument),
        "$in" => list(argument)
            .iter()
            .any(|value| operator(find, "$eq", value)),
        "$all" => {
            let values = list(argument);
            !values.is_empty() && values.iter().all(|value| operator(find, "$eq", value))
        }
        "$exists" => any(&Option::is_some) == (argument.number() != 0.0),
        "$type" => any(&|found| {
            found
                .as_ref()
                .is_some_and(|value| type_names(value).contains(&text(argument)))
        }),
        "$size" => any_whole(&|items| items.len() as f64 == argument.number()),
        "$mod" => {
            let parts = list(argument);
            any(&|found| {
                found.as_ref().is_some_and(|value| {
                    value.class() == 2
                        && !value.is_nan()
                        && value.number().trunc() % parts[0].number() == parts[1].number()
                })
            })
        }
        "$elemMatch" => {
            let over_values = matches!(argument, Tree::Fields(fields) if fields.first()
                .is_some_and(|(name, _)| name.starts_with('$') && !matches!(name.as_str(), "$and" | "$or" | "$nor")));
            any_whole(&|items| {
                items.iter().any(|item| match item {
                    item if over_values => holds(&|_| vec![Some(item.clone())], argument),
                    Tree::Fields(_) => matches(item, argument),
                    Tree::Items(inner) => matches(&positions(inner), argument),
                    _ => false,
                })
            })
        }
        comparison => any(&|found| compares(found.as_ref(), comparison, argument)),
    }
}

fn positions(items: &[Tree]) -> Tree {
    Tree::Fields(
        items
            .iter()
            .enumerate()
            .map(|(position, item)| (position.to_string(), item.clone()))
            .collect(),
    )
}

fn text(tree: &Tree) -> &str {
    match tree {
        Tree::Text(text) => text,
        _ => "",
    }
}

fn type_names(value: &Tree) -> &'static [&'static str] {
    match value {
        Tree::Undefined => &["undefined"],
        Tree::Null => &["null"],
        Tree::Bool(_) => &["bool"],
        Tree::Int(_) => &["number"],
        Tree::Double(_) => &["double", "number"],
        Tree::Text(_) => &["string"],
        Tree::Fields(_) => &["object"],
        Tree::Items(_) => &["array"],
    }
}

fn compares(found: Option<&Tree>, name: &str, operand: &Tree) -> bool {
    let or_equal = matches!(name, "$eq" | "$lte" | "$gte");
    let Some(value) = found else {
        return matches!(operand, Tree::Null) && or_equal;
    };
    if value.class() != operand.class() {
        return false;
    }
    if value.is_nan() || operand.is_nan() {
        return value.is_nan() && operand.is_nan() && or_equal;
    }
    let ordering = value.order(operand);
    match name {
        "$eq" => ordering.is_eq(),
        "$lt" => ordering.is_lt(),
        "$lte" => ordering.is_le(),
        "$gt" => ordering.is_gt(),
        _ => ordering.is_ge(),
    }
}
