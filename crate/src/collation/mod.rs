//! Collation: comparing strings by the rules of a language.
//!
//! The engine has no tables of any language: the host compares two strings (`Env::collator`), and everything else
//! is made of that. `spec` reads the option documents, `rules` compares values, `order` and `labels` give
//! strings byte strings that sort as the host says, so that sorts, groups and index keys stay bytes.

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
