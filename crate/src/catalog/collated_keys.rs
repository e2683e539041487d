//! Keys of indexes with a collation: the host compares strings but gives no bytes that sort, so an index keeps the
//! order of its strings itself, in a tree of their labels, and its keys hold the labels.
//!
//! Invariants: `labels` maps label to string, both ascending, the strings by the index's collation and no two of them
//! equal; every string in a key has its label there. A label outlives the keys that hold it, until the index is built
//! anew or its collection is emptied.

use super::collection::{Collection, Index};
use super::index::KeySet;
use super::index::keys as index_keys;
use crate::bson::{Document, DocumentBuf, Value, ValueRef};
use crate::collation::{StringOrder, between, is_collatable, translate_fields, translate_value};
use crate::env::Env;
use crate::error::{CommandError, StorageError};
use crate::storage::{Entry, Pager};
use std::ops::Bound;

/// How many labels go into their tree together, when an index is built.
const LABELS_AT_ONCE: usize = 4096;

/// Where a string belongs among the labels.
struct Place {
    label: String,
    /// Whether the label is stored; it would be this one otherwise.
    is_known: bool,
}

fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

impl Index {
    fn is_collated(&self) -> bool {
        !self.definition.collation.is_simple()
    }

    /// Whether keys may hold values of this top-level field, or values below it.
    fn wants(&self, name: &str) -> bool {
        self.definition.kind.rules().reads_path(name)
            || self.definition.fields.iter().any(|field| {
                let first = field.components.first();
                first.is_some_and(|first| **first == *name)
            })
    }

    /// The paths of geometries, whose strings are no texts.
    fn places(&self) -> Vec<&[Box<str>]> {
        let fields = self.definition.fields.iter();
        let places = fields.filter(|field| field.kind.is_geo());
        places.map(|field| &*field.components).collect()
    }

    fn place(&self, pager: &Pager, text: &str) -> Result<Place, StorageError> {
        let collation = &self.definition.collation;
        let below = self.labels.last_not_above(pager, &mut |held| {
            collation.compare_text(text_of(held), text)
        })?;
        if let Some((label, true)) = below {
            return Ok(Place {
                label: text_of(&label).to_owned(),
                is_known: true,
            });
        }
        let below = below.map(|(label, _)| label);
        let mut cursor = self.labels.cursor();
        let has_above = match &below {
            Some(below) => cursor.seek(pager, Bound::Excluded(below))?,
            None => cursor.first(pager)?,
        };
        let above = has_above.then(|| text_of(cursor.key()));
        Ok(Place {
            label: between(below.as_deref().map(text_of), above),
            is_known: false,
        })
    }

    /// The document that keys are made of, with labels for its strings, and whether some are not stored yet; `None`
    /// when it is the document itself.
    fn translated(
        &self,
        pager: &Pager,
        document: Document<'_>,
    ) -> Result<Option<(DocumentBuf, bool)>, StorageError> {
        if !self.is_collated() {
            return Ok(None);
        }
        let mut is_new = false;
        let fields = translate_fields(
            document,
            &|name| self.wants(name),
            &self.places(),
            &mut |text| {
                let place = self.place(pager, text)?;
                is_new |= !place.is_known;
                Ok::<_, StorageError>(place.label)
            },
        )?;
        Ok(Some((fields, is_new)))
    }

    /// Gives every string of a document that keys may hold a label; gives the document that keys are made of.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub(super) fn labelled(
        &mut self,
        pager: &mut Pager,
        document: Document<'_>,
    ) -> Result<Option<DocumentBuf>, StorageError> {
        if !self.is_collated() {
            return Ok(None);
        }
        // The index itself is changed while its definition says the wanted kind.
        let shape = Self::new(std::rc::Rc::clone(&self.definition));
        let fields = translate_fields(
            document,
            &|name| shape.wants(name),
            &shape.places(),
            &mut |text| {
                let place = self.place(pager, text)?;
                if !place.is_known {
                    self.labels
                        .insert(pager, place.label.as_bytes(), text.as_bytes())?;
                }
                Ok::<_, StorageError>(place.label)
            },
        )?;
        Ok(Some(fields))
    }

    /// A document's keys. `labelled` is the result of `labelled` for the same document: its fields with labels for
    /// texts.
    ///
    /// # Errors
    /// Errors of `index_keys::generate`.
    pub(super) fn generate_from(
        &self,
        document: Document<'_>,
        labelled: Option<&DocumentBuf>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        let Some(labelled) = labelled else {
            return index_keys::generate(&self.definition, document, keys);
        };
        keys.clear();
        if !index_keys::holds(&self.definition, document)? {
            return Ok(());
        }
        index_keys::generate_held(&self.definition, labelled.as_document(), keys)
    }

    /// A document's keys, and whether they hold labels of strings that have none yet: no stored key has such a label.
    ///
    /// # Errors
    /// Errors of `index_keys::generate`, and storage errors.
    #[inline]
    pub(super) fn generate(
        &self,
        pager: &Pager,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<bool, CommandError> {
        if !self.is_collated() {
            index_keys::generate(&self.definition, document, keys)?;
            return Ok(false);
        }
        let translated = self.translated(pager, document)?;
        let (labelled, is_new) =
            translated.map_or((None, false), |(fields, is_new)| (Some(fields), is_new));
        self.generate_from(document, labelled.as_ref(), keys)?;
        Ok(is_new)
    }

    /// The value that keys hold for a value.
    ///
    /// # Errors
    /// Storage errors.
    pub fn key_of<'v>(
        &self,
        pager: &Pager,
        value: ValueRef<'v>,
    ) -> Result<Value<'v>, StorageError> {
        if !self.is_collated() || !is_collatable(value) {
            return Ok(Value::Borrowed(value));
        }
        translate_value(value, &mut |text| {
            self.place(pager, text).map(|place| place.label)
        })
    }

    /// The keys that a document has in the index, each with its type bits, or would have.
    ///
    /// # Errors
    /// 171 `CannotIndexParallelArrays` and the like; errors of the page space.
    pub fn keys_of(
        &self,
        pager: &Pager,
        document: Document<'_>,
    ) -> Result<Vec<Vec<u8>>, CommandError> {
        let mut keys = KeySet::default();
        self.generate(pager, document, &mut keys)?;
        Ok(keys.iter().map(|(key, _)| key.to_vec()).collect())
    }

    /// The mistake in the labels' order, worded for a person.
    ///
    /// # Errors
    /// Storage errors, `Stopped` among them.
    pub(super) fn check_labels(
        &self,
        pager: &Pager,
        env: &dyn Env,
    ) -> Result<Option<String>, StorageError> {
        let collation = &self.definition.collation;
        let mut before: Option<Vec<u8>> = None;
        let mut cursor = self.labels.cursor();
        while cursor.next(pager)? {
            env.checkpoint().map_err(StorageError::stopped)?;
            let text = cursor.value_ref(pager)?.into_owned();
            let is_sound = std::str::from_utf8(&text).is_ok()
                && before.as_ref().is_none_or(|before| {
                    collation
                        .compare_text(text_of(before), text_of(&text))
                        .is_lt()
                });
            if !is_sound {
                return Ok(Some(
                    "the strings are not in the order in which the host's collation has them; build the index anew"
                        .to_owned(),
                ));
            }
            before = Some(text);
        }
        Ok(None)
    }
}

impl Collection {
    /// Gives the strings of all documents their labels in a new index, which so get the shortest there are.
    ///
    /// # Errors
    /// Errors of a partial filter, storage errors and errors of `Env::checkpoint`: roll back.
    pub(super) fn label_all_strings(
        &self,
        pager: &mut Pager,
        index: &mut Index,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        if !index.is_collated() {
            return Ok(());
        }
        let collation = index.definition.collation.clone();
        let mut order = StringOrder::default();
        let mut cursor = self.records.cursor();
        while cursor.next(pager)? {
            env.checkpoint()?;
            let bytes = cursor.value_ref(pager)?;
            let document = Document::from_valid_bytes(&bytes);
            if !index_keys::holds(&index.definition, document)? {
                continue;
            }
            translate_fields(
                document,
                &|name| index.wants(name),
                &index.places(),
                &mut |text| {
                    order.label(text, &mut |left, right| collation.compare_text(left, right));
                    Ok::<_, StorageError>(String::new())
                },
            )?;
        }
        let mut texts = order.texts().peekable();
        let mut label: Option<String> = None;
        while texts.peek().is_some() {
            env.checkpoint()?;
            let mut labels = Vec::with_capacity(LABELS_AT_ONCE);
            for text in texts.by_ref().take(LABELS_AT_ONCE) {
                let next = between(label.as_deref(), None);
                label = Some(next.clone());
                labels.push((next, text));
            }
            let entries: Vec<Entry<'_>> = { labels.iter() }
                .map(|(label, text)| Entry::new(label.as_bytes(), text.as_bytes()))
                .collect();
            index.labels.insert_sorted(pager, &entries, 0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::catalog::tests::{build, definition};
    use crate::catalog::{CollectionOptions, WriteScratch};
    use crate::env::NoEnv;

    fn folded(
        write: impl FnOnce(&mut crate::bson::DocumentBuilder),
    ) -> crate::catalog::IndexDefinition {
        definition(|spec| {
            write(spec);
            spec.begin_document("collation")
                .append("locale", "en")
                .append("strength", 2)
                .end();
        })
    }

    #[test]
    fn keys_sort_as_the_collation_says_however_they_came() {
        let mut pager = Pager::new();
        let mut random = Random::new(5);
        let mut grown = Collection::new("d.c", [1; 16], CollectionOptions::default());
        let index = || {
            folded(|spec| {
                spec.begin_document("key").append("a", 1).end();
                spec.append("name", "a");
            })
        };
        grown
            .build_index(&mut pager, index(), &NoEnv)
            .expect("built");
        let mut scratch = WriteScratch::default();
        let mut ids = Vec::new();
        for id in 0..700 {
            let letters = ["a", "B", "c", "D", "\u{e9}", "e", "E"];
            let text: String = (0..3).map(|_| letters[random.below(7)]).collect();
            let document = build(|document| {
                document.append("_id", id).append("a", text.as_str());
            });
            let inserted = grown.insert_document(&mut pager, document.as_document(), &mut scratch);
            ids.push(inserted.expect("nothing refuses it"));
            if id % 3 == 0 {
                let gone = ids.swap_remove(random.below(ids.len()));
                grown
                    .delete_record(&mut pager, gone, &mut scratch)
                    .expect("deleted");
            }
        }
        let pairing = grown
            .check_pairing(&pager, &NoEnv)
            .expect("the pages are sound");
        assert!(pairing.is_valid(), "{pairing:?}");
        let mut fresh = grown.clone();
        fresh.indexes.truncate(1);
        fresh
            .build_index(&mut pager, index(), &NoEnv)
            .expect("built");
        let pairing = fresh
            .check_pairing(&pager, &NoEnv)
            .expect("the pages are sound");
        assert!(pairing.is_valid(), "{pairing:?}");
        let records = |collection: &Collection| {
            let mut found = Vec::new();
            let mut cursor = collection.indexes[1].tree.cursor();
            while cursor.next(&pager).expect("readable") {
                let key = cursor.key();
                found.push(key[key.len() - 8..].to_vec());
            }
            found
        };
        assert_eq!(records(&grown), records(&fresh));
        assert!(fresh.indexes[1].labels.len() < grown.indexes[1].labels.len());
    }

    #[test]
    fn a_unique_index_refuses_what_is_equal() {
        let mut pager = Pager::new();
        let mut people = Collection::new("d.c", [1; 16], CollectionOptions::default());
        let unique = folded(|spec| {
            spec.begin_document("key").append("mail", 1).end();
            spec.append("name", "mail").append("unique", true);
        });
        people
            .build_index(&mut pager, unique, &NoEnv)
            .expect("built");
        let mut scratch = WriteScratch::default();
        let mut insert = |people: &mut Collection, pager: &mut Pager, id: i32, mail: &str| {
            let document = build(|document| {
                document.append("_id", id).append("mail", mail);
            });
            people
                .insert_document(pager, document.as_document(), &mut scratch)
                .map_err(|error| error.code)
        };
        assert!(insert(&mut people, &mut pager, 1, "ada@x.org").is_ok());
        assert_eq!(insert(&mut people, &mut pager, 2, "Ada@X.org"), Err(11000));
        assert!(insert(&mut people, &mut pager, 3, "ad\u{e1}@x.org").is_ok());
        let labels = people.indexes[1].labels;
        assert_eq!(insert(&mut people, &mut pager, 1, "bob@x.org"), Err(11000));
        assert_eq!(
            people.indexes[1].labels, labels,
            "a refused document leaves no label"
        );
        let pairing = people
            .check_pairing(&pager, &NoEnv)
            .expect("the pages are sound");
        assert!(pairing.is_valid(), "{pairing:?}");
    }
}
