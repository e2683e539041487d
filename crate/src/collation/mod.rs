//! Collation: comparing strings by the rules of a language.
//!
//! The engine has no tables of any language: the host compares two strings (`Env::collator`), and everything else
//! is made of that. `spec` reads the option documents, `rules` compares values, `order` and `labels` give
//! strings byte strings that sort as the host says, so that sorts, groups and index keys stay bytes.
//!
//! The host compares two strings (`Env::collator`); everything else is made of that. `Collation` (simple, or a
//! document and the host's comparers) travels in `CompileContext`, from where predicates, expressions,
//! accumulators, sorts and update operators keep it.
//! - `compare` and `equal` order values. `key_of` and `key_fields` put labels in the place of strings, so that
//!   groups, sorts and `distinct` stay byte strings: `StringOrder` gives each string met a label between its
//!   neighbours', which never changes.
//! - **Invariant:** labels of one order are compared with each other's only: those of one `Collation` and its
//!   clones, or of one index.
//! - An index keeps such an order in a tree of its own (`catalog/collated_keys.rs`); `catalog/index/keys` sees a
//!   document of labels. A document that is refused leaves no label: keys are made with labels that would be given,
//!   checked, and only then labels are given.
//! - `planner/collated.rs` gives each index the filter that its bounds are made of: with its labels where its
//!   collation is the query's, without the comparisons that it cannot serve otherwise.

mod labels;
mod locales;
mod order;
mod rules;
mod spec;
mod translate;

pub use labels::between;
pub use order::StringOrder;
pub use rules::Collation;
pub use spec::CollationSpec;
pub use translate::{is_collatable, translate_fields, translate_value};
