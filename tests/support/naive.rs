//! A matcher that decodes everything and follows the manual word by word, to hold the real one against.
//!
//! It shares no code with the engine beyond reading BSON, interprets the filter anew for every document, and
//! is as slow as it is simple.

#[path = "tree.rs"]
mod tree;

use tree::NUMBER;
pub use tree::Tree;

/// A value without an operator, and an item of `$in` and `$all`: equality, but that a regular expression searches.
const BARE: &str = "";

/// The result of a path at one place: a value, or none.
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

/// Whether the values of `find` (with or without the items of an array at the end) satisfy a field's condition.
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
        value => operator(find, BARE, value),
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
            .any(|value| operator(find, BARE, value)),
        "$all" => {
            let values = list(argument);
            !values.is_empty() && values.iter().all(|value| operator(find, BARE, value))
        }
        "$exists" => any(&Option::is_some) == argument.is_true(),
        "$type" => any(&|found| {
            found.as_ref().is_some_and(|value| {
                let (name, number) = value.type_name();
                let wanted = text(argument);
                wanted == name
                    || wanted == "number" && value.class() == NUMBER
                    || argument.class() == NUMBER && argument.number() == f64::from(number)
            })
        }),
        "$size" => any_whole(&|items| items.len() as f64 == argument.number()),
        "$mod" => {
            let parts = list(argument);
            let (divisor, remainder) = (parts[0].integer(), parts[1].integer());
            any(&|found| {
                let dividend = found.as_ref().and_then(Tree::integer);
                dividend.is_some_and(|dividend| {
                    divisor.map(|divisor| dividend.wrapping_rem(divisor)) == remainder
                })
            })
        }
        "$bitsAllSet" | "$bitsAnyClear" | "$bitsAllClear" | "$bitsAnySet" => {
            let positions: Vec<i64> = list(argument).iter().filter_map(Tree::integer).collect();
            any(&|found| {
                let Some(is_set) = found.as_ref().and_then(Tree::bits) else {
                    return false;
                };
                let set = positions
                    .iter()
                    .filter(|position| is_set(**position))
                    .count();
                match name {
                    "$bitsAllSet" => set == positions.len(),
                    "$bitsAllClear" => set == 0,
                    "$bitsAnySet" => set > 0,
                    _ => set < positions.len(),
                }
            })
        }
        "$regex" => any(&|found| match found {
            Some(Tree::Text(value) | Tree::Symbol(value)) => finds(text(argument), value),
            Some(Tree::Regex(pattern, options)) => pattern == text(argument) && options.is_empty(),
            _ => false,
        }),
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

/// The few patterns that the tests use: letters, with `^` before them or not.
/// A text that is no UTF-8 is not looked at.
fn finds(pattern: &str, text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    match pattern.strip_prefix('^') {
        Some(prefix) => text.starts_with(prefix),
        None => text.contains(pattern),
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
        Tree::Text(text) => std::str::from_utf8(text).unwrap_or_default(),
        _ => "",
    }
}

fn compares(found: Option<&Tree>, name: &str, operand: &Tree) -> bool {
    let or_equal = matches!(name, BARE | "$eq" | "$lte" | "$gte");
    match (operand, name) {
        // Every value, and a missing field too, lies between these two.
        (Tree::MinKey, "$gt" | "$gte") if !matches!(found, Some(Tree::MinKey)) => return true,
        (Tree::MaxKey, "$lt" | "$lte") if !matches!(found, Some(Tree::MaxKey)) => return true,
        _ => {}
    }
    let Some(value) = found else {
        return matches!(operand, Tree::Null) && or_equal;
    };
    if let (Tree::Regex(pattern, _), BARE) = (operand, name)
        && let Tree::Text(text) | Tree::Symbol(text) = value
    {
        return finds(pattern, text);
    }
    if value.class() != operand.class() {
        return false;
    }
    if value.is_nan() || operand.is_nan() {
        return value.is_nan() && operand.is_nan() && or_equal;
    }
    let ordering = value.order(operand);
    match name {
        BARE | "$eq" => ordering.is_eq(),
        "$lt" => ordering.is_lt(),
        "$lte" => ordering.is_le(),
        "$gt" => ordering.is_gt(),
        _ => ordering.is_ge(),
    }
}
