//! The scope of a wildcard index: all of a document, one part of it, or the fields that a `wildcardProjection` selects.
//!
//! Manual: core/indexes/index-types/index-wildcard, reference/command/createIndexes. Invariant: `_id` is left out
//! unless it is asked for.

use crate::bson::{Document, ValueRef, is_digits};
use crate::error::{Code, CommandError};

/// The name of a field that stands for all paths.
pub(super) const ALL: &str = "$**";

/// Whether a field of a key pattern stands for many paths.
pub(super) fn is_wildcard_name(name: &str) -> bool {
    subtree(name).is_some()
}

/// The path above a wildcard field's `$**`; empty for all of the document.
fn subtree(name: &str) -> Option<&str> {
    match name.strip_suffix(ALL)? {
        "" => Some(""),
        above => above.strip_suffix('.'),
    }
}

/// Paths cut into nested names; no children: the path ends here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Paths(Vec<(Box<str>, Paths)>);

impl Paths {
    fn get(&self, name: &str) -> Option<&Paths> {
        self.0
            .iter()
            .find(|(held, _)| **held == *name)
            .map(|(_, below)| below)
    }

    fn insert(&mut self, path: &str) -> Result<(), CommandError> {
        let mut node = self;
        let mut rest = path;
        loop {
            let (name, after) = rest
                .split_once('.')
                .map_or((rest, None), |(name, after)| (name, Some(after)));
            let position = node.0.iter().position(|(held, _)| **held == *name);
            match (position, after) {
                (Some(_), None) => {
                    return Err(CommandError::location(
                        31250,
                        format!("Path collision at {path}"),
                    ));
                }
                (Some(at), Some(after)) if node.0[at].1.0.is_empty() => {
                    return Err(CommandError::location(
                        31249,
                        format!("Path collision at {path} remaining portion {after}"),
                    ));
                }
                (Some(at), Some(after)) => {
                    node = &mut node.0[at].1;
                    rest = after;
                }
                (None, after) => {
                    node.0.push((name.into(), Paths::default()));
                    let Some(after) = after else { return Ok(()) };
                    let last = node.0.len() - 1;
                    node = &mut node.0[last].1;
                    rest = after;
                }
            }
        }
    }

    /// Whether a path ends in the tree at the given one or above it.
    fn holds(&self, path: &str) -> bool {
        let mut node = self;
        for name in path.split('.') {
            match node.get(name) {
                None => return false,
                Some(below) if below.0.is_empty() => return true,
                Some(below) => node = below,
            }
        }
        false
    }
}

/// The fields that a wildcard index selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wildcard {
    /// The position of its field in the key pattern.
    pub position: usize,
    includes: bool,
    paths: Paths,
}

/// The fields selected below some point of a document.
#[derive(Clone, Copy)]
pub(super) enum Selection<'w> {
    All,
    Include(&'w Paths),
    Exclude(&'w Paths),
}

impl<'w> Selection<'w> {
    /// The selection below a field; nothing when the field is left out.
    pub(super) fn child(self, name: &str) -> Option<Selection<'w>> {
        match self {
            Self::All => Some(Self::All),
            Self::Include(paths) => paths.get(name).map(|below| match below.0.is_empty() {
                true => Self::All,
                false => Self::Include(below),
            }),
            Self::Exclude(paths) => match paths.get(name) {
                None => Some(Self::All),
                Some(below) if below.0.is_empty() => None,
                Some(below) => Some(Self::Exclude(below)),
            },
        }
    }

    /// Whether a value is kept where this is the selection below it; `in_array`: the value is an array's item.
    pub(super) fn holds(self, value: ValueRef<'_>, in_array: bool) -> bool {
        match (self, value) {
            (Self::Include(_), ValueRef::Array(_)) => !in_array,
            (Self::Include(_), ValueRef::Document(_)) => true,
            (Self::Include(_), _) => false,
            _ => true,
        }
    }
}

impl Wildcard {
    /// Reads the wildcard field of a key pattern and the projection, both checked before.
    ///
    /// # Errors
    /// The mistake in the projection.
    #[inline(never)]
    pub fn new(
        position: usize,
        field: &str,
        projection: Option<Document<'_>>,
    ) -> Result<Self, CommandError> {
        let mut paths = Paths::default();
        let root = subtree(field).unwrap_or_default();
        if !root.is_empty() {
            paths.insert(root)?;
            return Ok(Self {
                position,
                includes: true,
                paths,
            });
        }
        let mut reader = Reader::default();
        if let Some(projection) = projection {
            reader.read(projection, "")?;
        }
        let includes = reader.includes.unwrap_or(reader.id == Some(true));
        if reader.id == Some(includes) || (!includes && reader.id.is_none()) {
            reader.paths.insert("_id")?;
        }
        Ok(Self {
            position,
            includes,
            paths: reader.paths,
        })
    }

    pub(super) fn selection(&self) -> Selection<'_> {
        if self.includes {
            Selection::Include(&self.paths)
        } else {
            Selection::Exclude(&self.paths)
        }
    }

    /// Whether values at a path are in the index.
    pub fn covers(&self, path: &str) -> bool {
        self.paths.holds(path) == self.includes
    }

    /// Whether a changed path may change keys.
    pub(super) fn overlaps(&self, path: &str) -> bool {
        if !self.includes {
            return !self.paths.holds(path);
        }
        let mut node = &self.paths;
        for name in path.split('.') {
            match node.get(name) {
                None => return is_digits(name),
                Some(below) if below.0.is_empty() => return true,
                Some(below) => node = below,
            }
        }
        true
    }
}

#[derive(Default)]
struct Reader {
    includes: Option<bool>,
    id: Option<bool>,
    paths: Paths,
}

impl Reader {
    fn read(&mut self, projection: Document<'_>, prefix: &str) -> Result<(), CommandError> {
        for element in projection.iter() {
            let path = match prefix {
                "" => element.name.to_owned(),
                prefix => format!("{prefix}.{}", element.name),
            };
            let flag = match (element.value, element.value.as_number()) {
                (_, Some(number)) => !number.is_zero(),
                (ValueRef::Boolean(flag), _) => flag,
                (ValueRef::Document(below), _)
                    if !below.is_empty()
                        && below.iter().all(|field| !field.name.starts_with('$')) =>
                {
                    self.read(below, &path)?;
                    continue;
                }
                _ => {
                    return Err(CommandError::location(
                        51271,
                        "Bad projection specification, cannot use computed fields when parsing a spec in \
                         kBanComputedFields mode",
                    ));
                }
            };
            if path == "_id" {
                self.id = Some(flag);
                continue;
            }
            match (self.includes, flag) {
                (Some(false), true) => {
                    return Err(CommandError::location(
                        31253,
                        format!("Cannot do inclusion on field {path} in exclusion projection"),
                    ));
                }
                (Some(true), false) => {
                    return Err(CommandError::location(
                        31254,
                        format!("Cannot do exclusion on field {path} in inclusion projection"),
                    ));
                }
                _ => self.includes = Some(flag),
            }
            self.paths.insert(&path)?;
        }
        Ok(())
    }
}

/// Whether one path is the other or lies above it.
fn is_at_or_above(path: &str, other: &str) -> bool {
    path.is_empty()
        || other
            .strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Checks the fields of a key pattern with a wildcard field beside one another.
///
/// # Errors
/// 7246201, 7246202 and 7246204.
pub(super) fn check_pattern(key: Document<'_>) -> Result<(), CommandError> {
    let mut root = None;
    for element in key.iter() {
        if let Some(found) = subtree(element.name)
            && root.replace(found).is_some()
        {
            return Err(CommandError::location(
                7_246_201,
                "Index Key can contain only one wildcard index field",
            ));
        }
    }
    let Some(root) = root else {
        return Err(CommandError::location(
            7_246_202,
            "No wildcard index field is specified for the wildcard index",
        ));
    };
    // An index over all of a document has no field that could clash with another part of the key.
    if root.is_empty() {
        return Ok(());
    }
    for element in key.iter() {
        if !is_wildcard_name(element.name) && is_at_or_above(root, element.name) {
            return Err(CommandError::location(
                7_246_204,
                format!(
                    "A wildcard index field should not overlap with and index key fields if wildcard projection is \
                     empty, however '{}' is overlapping with the wildcard index field.",
                    element.name
                ),
            ));
        }
    }
    Ok(())
}

/// Checks the `wildcardProjection` of a specification.
///
/// # Errors
/// 9 `FailedToParse`, and for a compound index 7246200 to 7246211.
pub(super) fn check_projection(
    key: Document<'_>,
    projection: Document<'_>,
) -> Result<(), CommandError> {
    let Some(position) = key.iter().position(|element| element.name == ALL) else {
        return Err(CommandError::new(
            Code::FailedToParse,
            "The field 'wildcardProjection' is only allowed when 'key' is {\"$**\": ±1}",
        ));
    };
    if projection.is_empty() {
        return Err(CommandError::new(
            Code::FailedToParse,
            "The 'wildcardProjection' field can't be an empty object",
        ));
    }
    if key.len() > 1 {
        check_compound(key, projection)?;
    }
    Wildcard::new(position, ALL, Some(projection)).map_err(|error| {
        let message = format!(
            "Failed to parse projection: wildcardProjection :: caused by :: {}",
            error.message
        );
        error.with_message(message)
    })?;
    Ok(())
}

fn check_compound(key: Document<'_>, projection: Document<'_>) -> Result<(), CommandError> {
    let mut included = Vec::new();
    let mut excluded = Vec::new();
    for element in projection.iter() {
        if element.value.is_truthy() {
            included.push(element.name);
        } else {
            excluded.push(element.name);
        }
    }
    for names in [&included, &excluded] {
        for (at, name) in names.iter().enumerate() {
            let clash = names
                .iter()
                .enumerate()
                .find(|(other, above)| *other != at && is_at_or_above(above, name));
            if let Some((_, above)) = clash {
                return Err(CommandError::location(
                    7_246_200,
                    format!(
                        "Fields in Wildcard Projection cannot overlap, however '{above}' is overlapped with '{name}'"
                    ),
                ));
            }
        }
    }
    let plain: Vec<&str> = key
        .iter()
        .map(|element| element.name)
        .filter(|name| !is_wildcard_name(name))
        .collect();
    for field in &plain {
        if let Some(path) = included.iter().find(|path| is_at_or_above(path, field)) {
            return Err(CommandError::location(
                7_246_208,
                format!(
                    "Index Key and Wildcard Projection cannot contain overlapping fields, however '{field}' index \
                     field is ovverlapping with '{path}' wildcardProjection path."
                ),
            ));
        }
    }
    let only_id_excluded = excluded == ["_id"];
    if !excluded.is_empty() && !only_id_excluded {
        let left = plain
            .iter()
            .find(|field| !excluded.iter().any(|path| is_at_or_above(path, field)));
        if let Some(field) = left {
            return Err(CommandError::location(
                7_246_210,
                format!(
                    "wildcardProjection paths must exclude all regular index fields, however '{field}'is not excluded."
                ),
            ));
        }
    }
    let has_both = !included.is_empty() && !excluded.is_empty();
    if has_both && !only_id_excluded && included != ["_id"] {
        return Err(CommandError::location(
            7_246_211,
            "Inclusion and exclusion statements cannot combine in the wildcardProjection with an exception of \
             explicitly including _id field",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;

    fn wildcard(field: &str, projection: &str) -> Wildcard {
        let projection = parse_document(projection).expect("a projection");
        Wildcard::new(0, field, Some(projection.as_document())).expect("a wildcard")
    }

    #[test]
    fn covers_what_it_selects() {
        let all = Wildcard::new(0, "$**", None).expect("a wildcard");
        assert!(all.covers("a") && all.covers("a.b") && !all.covers("_id"));
        let part = Wildcard::new(0, "a.b.$**", None).expect("a wildcard");
        assert!(
            part.covers("a.b") && part.covers("a.b.c") && !part.covers("a") && !part.covers("c")
        );
        let some = wildcard("$**", r#"{"a": 1, "b.c": true}"#);
        assert!(
            some.covers("a.x") && some.covers("b.c") && !some.covers("b") && !some.covers("_id")
        );
        assert!(some.overlaps("b") && some.overlaps("b.0.c") && !some.overlaps("b.d"));
        let rest = wildcard("$**", r#"{"a": {"b": 0}, "_id": 1}"#);
        assert!(rest.covers("a") && !rest.covers("a.b.c") && rest.covers("_id"));
    }

    #[test]
    fn refuses_what_the_server_refuses() {
        let refusal = |key: &str, projection: &str| {
            let key = parse_document(key).expect("a pattern");
            let projection = parse_document(projection).expect("a projection");
            check_pattern(key.as_document())
                .and_then(|()| check_projection(key.as_document(), projection.as_document()))
                .err()
                .map(|error| error.code)
        };
        let one = r#"{"$**": 1}"#;
        let two = r#"{"a": 1, "$**": 1}"#;
        assert_eq!(refusal(one, r#"{"a": 1}"#), None);
        assert_eq!(refusal(one, r#"{"a": 1, "b": 0}"#), Some(31254));
        assert_eq!(refusal(one, r#"{"a": 0, "b": 1}"#), Some(31253));
        assert_eq!(refusal(one, r#"{"a": 1, "a.b": 1}"#), Some(31249));
        assert_eq!(refusal(one, r#"{"a": "x"}"#), Some(51271));
        assert_eq!(refusal(one, "{}"), Some(9));
        assert_eq!(refusal(r#"{"a.$**": 1}"#, r#"{"a": 1}"#), Some(9));
        assert_eq!(
            refusal(r#"{"a.$**": 1, "b.$**": 1}"#, r#"{"a": 1}"#),
            Some(7_246_201)
        );
        assert_eq!(
            refusal(r#"{"a.$**": 1, "a.b": 1}"#, r#"{"a": 1}"#),
            Some(7_246_204)
        );
        assert_eq!(refusal(two, r#"{"b": 1, "b.c": 1}"#), Some(7_246_200));
        assert_eq!(refusal(two, r#"{"a": 1}"#), Some(7_246_208));
        assert_eq!(refusal(two, r#"{"b": 0}"#), Some(7_246_210));
        assert_eq!(refusal(two, r#"{"a": 0, "b": 1}"#), Some(7_246_211));
        assert_eq!(refusal(two, r#"{"a": 0, "_id": 1}"#), None);
    }
}
