//! Text indexes: a key for each term of a document's texts, with the score of the document for it.
//!
//! Manual: core/indexes/index-types/index-text. The key pattern `{k: 1, words: "text", at: 1}` is kept as
//! `{k: 1, _fts: "text", _ftsx: 1, at: 1}`, beside the weight of each field. A key is the values before, a term, its
//! score, the values behind. A read names a term and runs from its highest score downwards (`planner/text.rs`).
//!
//! ```text
//! document ─ elements: text, language, weight ─ terms: words, stems ─ score ─ keys
//! $search  ─ search: terms, phrases, negations ─ terms ─ scans, and what documents are tested by
//! ```

mod definition;
mod elements;
mod keys;
mod language;
mod murmur;
pub mod search;
mod specification;
mod terms;
mod unicode;

pub(super) use definition::ROW;
pub use definition::Text;
pub use keys::term_key;
pub use language::Language;
pub(super) use specification::completed;
