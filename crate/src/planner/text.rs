//! The plan of a `$text`: the keys of its terms in the collection's text index, each term from its highest score down.
//!
//! ```text
//! {$text: {$search: "tea cup -milk"}, size: 5, at: {$gt: 1}}     with the index {size: 1, words: "text", at: 1}
//!   TEXT_MATCH, which drops documents with `milk`
//!     FETCH
//!       OR
//!         IXSCAN [5, "cup"] and at > 1     IXSCAN [5, "tea"] and at > 1
//! ```
//!
//! Follows the manual's "$text" and "Create a Compound Text Index" pages. Where scores are asked for, TEXT_OR takes
//! the place of OR and FETCH. Invariant: each field before the term has one value in the filter; predicates on fields
//! behind it are tested on keys, all others on documents.

use super::access::{Access, holds_all};
use super::candidates::or_branches;
use super::collated::Bounding;
use super::finish::finish;
use super::request::{Hint, Planned, QueryRequest};
use crate::bson::{DocumentBuf, DocumentBuilder, Text as Bytes, ValueRef};
use crate::catalog::index::text::{Language, term_key};
use crate::catalog::{Collection, Index};
use crate::error::{Code, CommandError};
use crate::expr::MetaKind;
use crate::keycode::{self, TypeBits};
use crate::plan::bounds::KeyRange;
use crate::plan::{Direction, IndexBounds, IndexScanPlan, Plan, TextMatching, Trials};
use crate::query::predicate::comparison::ComparisonKind;
use crate::query::predicate::text::TextTest;
use crate::query::{MatchNode, Matcher};
use std::rc::Rc;

fn refuse<T>(reason: &str) -> Result<T, CommandError> {
    Err(CommandError::new(Code::BadValue, reason))
}

fn planner_error(reason: &str) -> CommandError {
    CommandError::new(
        Code::NoQueryExecutionPlans,
        format!("error processing query: planner returned error :: caused by :: {reason}"),
    )
}

/// The error of a `$text` over what has no text index.
pub fn no_index() -> CommandError {
    CommandError::new(Code::IndexNotFound, "text index required for $text query")
}

/// Refuses a `$text` over a namespace where no index can be.
///
/// # Errors
/// 27 `IndexNotFound`.
pub fn refuse_without_collection(matcher: &Matcher) -> Result<(), CommandError> {
    match matcher.root().texts() {
        0 => Ok(()),
        _ => Err(no_index()),
    }
}

/// Plans a query with a `$text`.
///
/// # Errors
/// 27 `IndexNotFound`, 291 `NoQueryExecutionPlans`, `BadValue` for a query that may have none; errors about languages.
#[inline(never)]
pub fn choose(
    request: &QueryRequest,
    collection: &Rc<Collection>,
    trials: &dyn Trials,
) -> Result<Planned, CommandError> {
    let root = request.matcher.root();
    if root.texts() > 1 {
        return refuse("Too many text expressions");
    }
    if is_below_nor(root) {
        return refuse("text expression not allowed in nor");
    }
    if request.matcher.near().is_some() {
        return refuse("text and geoNear not allowed in same query");
    }
    match &request.hint {
        Some(Hint::Natural(_)) => {
            return refuse("text expression not allowed with $natural sort order");
        }
        Some(_) => return refuse("text and hint not allowed in same query"),
        None if request.tailable => {
            return refuse("text and tailable cursor not allowed in same query");
        }
        None => {}
    }
    let search = Search::of(request, collection)?;
    let conjuncts = root.conjuncts();
    let access = match conjuncts.iter().any(is_text) {
        true => search.access(conjuncts)?,
        false => search.below_or(conjuncts, collection, trials)?,
    };
    Ok(Planned::only(finish(access, request)))
}

fn is_text(node: &MatchNode) -> bool {
    matches!(node, MatchNode::Text(_))
}

fn is_below_nor(node: &MatchNode) -> bool {
    match node {
        MatchNode::Nor(_) | MatchNode::Not(_) => node.texts() > 0,
        other => other.children().iter().any(is_below_nor),
    }
}

/// The one text index of a collection, and the query that searches it.
struct Search<'q> {
    request: &'q QueryRequest,
    index: &'q Index,
    position: usize,
}

impl<'q> Search<'q> {
    fn of(request: &'q QueryRequest, collection: &'q Collection) -> Result<Self, CommandError> {
        let mut indexes = collection.indexes.iter().enumerate();
        let found = indexes.find(|(_, index)| index.definition.kind.text().is_some());
        let (position, index) = found.ok_or_else(no_index)?;
        if index.definition.hidden {
            return Err(planner_error("need exactly one text index for $text query"));
        }
        Ok(Self {
            request,
            index,
            position,
        })
    }

    /// The access of a conjunction with the `$text` in it.
    fn access(&self, conjuncts: &[MatchNode]) -> Result<Access, CommandError> {
        let facts = self.index.facts(self.position);
        let definition = &self.index.definition;
        let text = definition.kind.text().ok_or_else(no_index)?;
        let unmet = || {
            planner_error(
                "failed to use text index to satisfy $text query (if text index is compound, are equality predicates \
                 given for all prefix fields?)",
            )
        };
        if !holds_all(self.index, &self.request.matcher) {
            return Err(unmet());
        }
        let mut is_used = vec![false; conjuncts.len()];
        let mut prefix = DocumentBuilder::new();
        for (name, _) in facts.fields.iter().take(text.before) {
            let equal = conjuncts.iter().position(|part| match part {
                MatchNode::Compare(test) => {
                    test.kind == ComparisonKind::Equal && test.path.dotted() == name
                }
                _ => false,
            });
            let Some(MatchNode::Compare(test)) = equal.and_then(|at| conjuncts.get(at)) else {
                return Err(unmet());
            };
            equal.into_iter().for_each(|at| is_used[at] = true);
            prefix.append(name, test.operand.as_ref());
        }
        let behind = facts.fields.get(text.before + 2..).unwrap_or_default();
        let mut on_key = Vec::new();
        let mut test = None;
        for (part, is_used) in conjuncts.iter().zip(&mut is_used) {
            match part {
                MatchNode::Text(found) => {
                    test = Some(found);
                    *is_used = true;
                }
                MatchNode::Compare(_)
                | MatchNode::In(_)
                | MatchNode::Regex(_)
                | MatchNode::Mod(_)
                    if !*is_used && { part.path() }.is_some_and(|path| {
                        behind.iter().any(|(name, _)| name == path.dotted())
                    }) =>
                {
                    on_key.push(part);
                    *is_used = true;
                }
                _ => {}
            }
        }
        let test = test.ok_or_else(no_index)?;
        let rest = conjuncts.iter().zip(&is_used);
        let rest: Vec<&MatchNode> = { rest.filter(|(_, is_used)| !**is_used) }
            .map(|(part, _)| part)
            .collect();
        let residual = MatchNode::all_of(rest);
        let filter = MatchNode::all_of(on_key).map(|node| Rc::new(Matcher::from_node(node)));
        let plan = self.plan(test, prefix.finish(), filter)?;
        Ok(Access::Text { plan, residual })
    }

    /// The access of a conjunction with the `$text` in a branch of an `$or`.
    fn below_or(
        &self,
        conjuncts: &[MatchNode],
        collection: &Collection,
        trials: &dyn Trials,
    ) -> Result<Access, CommandError> {
        let unmet = || {
            planner_error(
                "Failed to produce a solution for TEXT under OR - other non-TEXT clauses under OR have to be indexed \
                 as well.",
            )
        };
        let position = conjuncts.iter().position(|part| part.texts() > 0);
        let position = position.ok_or_else(no_index)?;
        let MatchNode::Or(branches) = &conjuncts[position] else {
            return Err(unmet());
        };
        let bounding = Bounding::of(collection, &self.request.matcher, trials.pager())?;
        let mut accesses = Vec::new();
        for branch in branches {
            if branch.conjuncts().iter().any(is_text) {
                accesses.push(self.access(branch.conjuncts())?);
            } else if branch.texts() > 0 {
                return Err(unmet());
            } else {
                let matcher = &self.request.matcher;
                let alone = std::slice::from_ref(branch);
                let found = or_branches(collection, matcher, &bounding, position, alone, None);
                accesses.extend(found.ok_or_else(unmet)?);
            }
        }
        let mut rest: Vec<&MatchNode> = conjuncts.iter().collect();
        rest.remove(position);
        Ok(Access::Or {
            branches: accesses,
            residual: MatchNode::all_of(rest),
        })
    }

    fn plan(
        &self,
        test: &TextTest,
        prefix: DocumentBuf,
        filter: Option<Rc<Matcher>>,
    ) -> Result<Plan, CommandError> {
        let definition = &self.index.definition;
        let text = definition.kind.text().ok_or_else(no_index)?;
        let mut named = test.language.borrow_mut();
        if named.is_empty() {
            named.clone_from(&text.language_name);
        }
        let language = Language::parse(&named, text.version)?;
        let wanted = |held: &&Rc<crate::expr::Metadata>| held.wants(MetaKind::TEXT_SCORE);
        let matching = Rc::new(TextMatching {
            index: self.index.facts(self.position),
            definition: Rc::clone(definition),
            search: text.search(&test.search, language, test.options)?,
            prefix,
            metadata: self.request.metadata.as_ref().filter(wanted).cloned(),
        });
        let scans = { matching.search.bounds.iter() }
            .map(|term| Plan::IndexScan(scan(&matching, &term_key(term, text.version), &filter)));
        let mut inputs: Vec<Plan> = scans.collect();
        if inputs.is_empty() {
            inputs.push(Plan::Eof);
        }
        let input = match (&matching.metadata, inputs.len()) {
            (Some(_), _) => Plan::TextOr {
                inputs,
                text: Rc::clone(&matching),
            },
            (None, several) => Plan::Fetch {
                input: Box::new(match several {
                    1 => inputs.remove(0),
                    _ => Plan::Or { inputs },
                }),
                filter: None,
            },
        };
        Ok(Plan::TextMatch {
            input: Box::new(input),
            text: matching,
        })
    }
}

/// The scan of the keys under a term.
fn scan(matching: &TextMatching, term: &[u8], filter: &Option<Rc<Matcher>>) -> IndexScanPlan {
    let index = &matching.index;
    let mut start_bytes = Vec::new();
    let mut type_bits = TypeBits::new();
    for (field, (_, descending)) in matching.prefix.as_document().iter().zip(&index.fields) {
        keycode::encode(field.value, *descending, &mut start_bytes, &mut type_bits);
    }
    let term = ValueRef::String(Bytes(term));
    keycode::encode(term, false, &mut start_bytes, &mut type_bits);
    let mut end_bytes = start_bytes.clone();
    keycode::encode(ValueRef::MaxKey, false, &mut end_bytes, &mut type_bits);
    let range = KeyRange {
        start: DocumentBuf::default(),
        end: DocumentBuf::default(),
        start_bytes,
        end_bytes,
    };
    IndexScanPlan {
        index: Rc::clone(index),
        bounds: Rc::new(IndexBounds::of_range(&index.fields, range)),
        direction: Direction::Backward,
        repeats: false,
        filter: filter.clone(),
    }
}
