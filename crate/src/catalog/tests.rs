//! Tests of the catalog as a whole: pairing under random writes, uniqueness, capped limits, TTL, rollback, reopening.

use super::*;
use crate::bson::testing::Random;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::collation::Collation;
use crate::env::NoEnv;
use crate::env::native::NativeEnv;
use crate::env::testing::Patience;
use crate::error::CommandError;
use crate::state::{Changes, Writer};
use crate::storage::{PageNumber, Pager, Survey, Tree, page};
use std::rc::Rc;

/// A partial filter that holds documents with a truthy field `p`.
struct HasP;

impl DocumentFilter for HasP {
    fn matches(&self, document: Document<'_>) -> Result<bool, CommandError> {
        Ok(document.get("p").is_truthy())
    }
}

pub(super) struct OnlyP;

impl FilterCompiler for OnlyP {
    fn check(&self, _: Document<'_>, _: &Collation) -> Result<(), CommandError> {
        Ok(())
    }

    fn compile(
        &self,
        _: Document<'_>,
        _: &Collation,
    ) -> Result<Rc<dyn DocumentFilter>, CommandError> {
        Ok(Rc::new(HasP))
    }

    fn collation(&self, document: Document<'_>) -> Result<Collation, CommandError> {
        Collation::parse(document, &NativeEnv::fixed(0, 0))
    }

    fn words(&self) -> Rc<dyn crate::env::Words> {
        crate::env::Env::words(&NativeEnv::fixed(0, 0))
    }
}

pub(super) fn build(write: impl FnOnce(&mut DocumentBuilder)) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    write(&mut builder);
    builder.finish()
}

pub(super) fn definition(write: impl FnOnce(&mut DocumentBuilder)) -> IndexDefinition {
    IndexDefinition::parse(build(write).as_document(), &OnlyP, &Collation::SIMPLE)
        .expect("the specification is valid")
}

/// Random documents with arrays, nested documents and collisions.
pub(super) struct Documents(pub(super) Random);

impl Documents {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn value(&mut self, builder: &mut DocumentBuilder, name: &str, depth: usize) {
        match self.below(9 - depth.min(3)) {
            0 => {
                builder.append(name, self.below(4) as i32);
            }
            1 => {
                builder.append(name, self.below(4) as f64);
            }
            2 => {
                builder.append(name, ["x", "y", "zz"][self.below(3)]);
            }
            3 => {
                builder.append(name, ValueRef::Null);
            }
            4 => {}
            5 => {
                builder.append(name, ValueRef::DateTime(self.below(9) as i64));
            }
            6 => {
                builder.begin_array(name);
                for item in 0..self.below(4) {
                    self.value(builder, &item.to_string(), depth + 1);
                }
                builder.end();
            }
            _ => {
                builder.begin_document(name);
                for inner in ["b", "c"] {
                    self.value(builder, inner, depth + 1);
                }
                builder.end();
            }
        }
    }

    pub(super) fn document(&mut self, id: i32) -> DocumentBuf {
        build(|builder| {
            builder.append("_id", id);
            self.value(builder, "a", 0);
            self.value(builder, "b", 0);
            match self.below(3) {
                0 => {
                    builder.begin_array("u");
                    for item in ["0", "1"] {
                        builder.append(item, self.below(2000) as i32);
                    }
                    builder.end();
                }
                _ => {
                    builder.append("u", self.below(2000) as f64);
                }
            }
            builder.append("p", self.below(2) == 0);
        })
    }
}

pub(super) fn indexes() -> Vec<IndexDefinition> {
    let key = |fields: &'static [(&'static str, i32)]| {
        move |builder: &mut DocumentBuilder| {
            builder.begin_document("key");
            for (path, direction) in fields {
                builder.append(path, *direction);
            }
            builder.end();
        }
    };
    vec![
        definition(|b| {
            key(&[("a", 1)])(b);
            b.append("name", "a");
        }),
        definition(|b| {
            key(&[("a.b", -1), ("a.c", 1)])(b);
            b.append("name", "abc");
        }),
        definition(|b| {
            key(&[("u", 1)])(b);
            b.append("name", "u").append("unique", true);
        }),
        definition(|b| {
            key(&[("b.0", 1)])(b);
            b.append("name", "b0").append("sparse", true);
        }),
        definition(|b| {
            key(&[("b", 1), ("p", -1)])(b);
            b.append("name", "part")
                .begin_document("partialFilterExpression")
                .append("p", true)
                .end();
        }),
        definition(|b| {
            b.begin_document("key")
                .append("$**", 1)
                .end()
                .append("name", "all");
        }),
    ]
}

fn assert_paired(catalog: &Catalog, pager: &Pager, namespace: &str) {
    let collection = catalog
        .collection(namespace)
        .expect("the collection exists");
    let pairing = collection
        .check_pairing(pager, &NoEnv)
        .expect("the pages are sound");
    assert!(pairing.is_valid(), "{pairing:?}");
}

#[test]
fn indexes_stay_paired_under_random_writes() {
    for seed in 1..=4 {
        random_writes(seed);
    }
}

fn random_writes(seed: u64) {
    let mut random = Documents(Random::new(seed));
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut scratch = WriteScratch::default();
    catalog
        .create_collection(&mut pager, "d.c", [1; 16], CollectionOptions::default())
        .expect("created");
    let mut pending = indexes();
    let unique = pending.remove(2);
    catalog
        .collection_mut("d.c")
        .expect("it exists")
        .build_index(&mut pager, unique, &NoEnv)
        .expect("built over nothing");
    let mut refused = 0;
    for step in 0..3000 {
        let pager_point = pager.savepoint();
        let point = catalog.savepoint();
        let collection = catalog.collection_mut("d.c").expect("it exists");
        let id = random.below(300) as i32;
        let found = collection
            .find_by_id(&pager, ValueRef::Int32(id))
            .expect("readable");
        let outcome = match (found, random.below(5)) {
            (Some(record), 0) => collection
                .delete_record(&mut pager, record, &mut scratch)
                .map(drop),
            (Some(record), _) => {
                let located = collection
                    .locate(&pager, record)
                    .expect("readable")
                    .expect("paired");
                let old = collection
                    .read_at(&pager, &located)
                    .expect("readable")
                    .into_owned();
                let new = random.document(id);
                collection.update_document(
                    &mut pager,
                    (record, located),
                    Document::from_valid_bytes(&old),
                    new.as_document(),
                    None,
                    &mut scratch,
                )
            }
            (None, _) => {
                let new = random.document(id);
                collection
                    .insert_document(&mut pager, new.as_document(), &mut scratch)
                    .map(drop)
            }
        };
        if step % 500 == 100
            && let Some(next) = pending.pop()
        {
            // A build may meet duplicates or parallel arrays; then it changes nothing.
            let name = next.name.clone();
            if collection.build_index(&mut pager, next, &NoEnv).is_err() {
                assert!(collection.index_named(&name).is_none());
            }
        }
        match outcome {
            Ok(()) if random.below(10) > 0 => {
                pager.release(pager_point);
                catalog.release(point);
            }
            Ok(()) => {
                pager.rollback_to(pager_point).expect("rolls back");
                catalog.rollback_to(point);
            }
            Err(error) => {
                // A refused document leaves no trace even without a rollback.
                assert!(
                    matches!(error.code, 11000 | 171 | 16746),
                    "seed {seed}: {error}"
                );
                refused += 1;
                pager.release(pager_point);
                catalog.release(point);
            }
        }
        if step % 100 == 0 {
            assert_paired(&catalog, &pager, "d.c");
        }
    }
    assert!(refused > 0, "seed {seed} refused nothing");
    assert_paired(&catalog, &pager, "d.c");
}

#[test]
fn reopens_what_was_written_back() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut scratch = WriteScratch::default();
    let options = CollectionOptions::of(CappedLimits::new(100_000, Some(7)).expect("in range"));
    let collection = catalog
        .create_collection(&mut pager, "d.c", [7; 16], options)
        .expect("created");
    for definition in indexes() {
        collection
            .build_index(&mut pager, definition, &NoEnv)
            .expect("built over nothing");
    }
    let mut random = Documents(Random::new(5));
    let mut changes = Changes::default();
    let writer = Writer::new(&mut pager, &mut catalog, &mut changes);
    let mut target = writer.into_collection("d.c").expect("it was created");
    for id in 0..40 {
        // Duplicates and parallel arrays are refused.
        let _ = target.insert(random.document(id).as_document(), &mut scratch);
    }
    let collection = target.collection();
    let (count, uuid, next) = (collection.count(), collection.uuid, collection.next_record);
    assert_eq!(count, 7);
    assert!(catalog.is_dirty());
    catalog.write_back(&mut pager).expect("written");
    assert!(!catalog.is_dirty());
    let batch = pager.seal().expect("sealed").expect("something to seal");
    let mut pager = Pager::open(&batch.header).expect("the header is sound");
    for (number, buffer) in batch.pages {
        pager
            .insert_buffer(number, buffer)
            .expect("the page is sound");
    }
    let mut catalog = Catalog::open(&pager, &OnlyP).expect("opens");
    // Looking at a collection to write it, without writing, is nothing to persist.
    assert!(catalog.collection_mut("d.c").is_some());
    catalog.write_back(&mut pager).expect("written");
    assert!(!pager.has_changes());
    let collection = catalog.collection("d.c").expect("it is there");
    assert_eq!(
        (collection.count(), collection.uuid, collection.next_record),
        (count, uuid, next)
    );
    assert_eq!(
        collection.options.kind.limits(),
        Some(CappedLimits {
            size: 100_096,
            max: 7
        })
    );
    assert_eq!(collection.indexes.len(), 7);
    assert_paired(&catalog, &pager, "d.c");
}

#[test]
fn says_which_key_is_a_duplicate() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut scratch = WriteScratch::default();
    let collection = catalog
        .create_collection(&mut pager, "d.c", [0; 16], CollectionOptions::default())
        .expect("created");
    let unique = definition(|b| {
        b.begin_document("key")
            .append("name", 1)
            .append("n", -1)
            .end();
        b.append("name", "name_1_n_-1").append("unique", 1);
    });
    collection
        .build_index(&mut pager, unique, &NoEnv)
        .expect("built");
    let document = |id: i32| {
        build(|b| {
            b.append("_id", id).append("name", "x").append("n", 2.5);
        })
    };
    collection
        .insert_document(&mut pager, document(1).as_document(), &mut scratch)
        .expect("the first");
    let error = collection
        .insert_document(&mut pager, document(2).as_document(), &mut scratch)
        .expect_err("a duplicate");
    assert_eq!(error.code, 11000);
    assert_eq!(
        error.message,
        "E11000 duplicate key error collection: d.c index: name_1_n_-1 dup key: { name: \"x\", n: 2.5 }"
    );
    let details = error.details.clone().expect("it has details");
    let details = Document::from_valid_bytes(&details);
    assert_eq!(
        details.to_string(),
        "{ keyPattern: { name: 1, n: -1 }, keyValue: { name: \"x\", n: 2.5 } }"
    );
    assert_eq!(collection.count(), 1);
    let error = collection
        .insert_document(&mut pager, document(1).as_document(), &mut scratch)
        .expect_err("a duplicate _id");
    assert!(
        error.message.ends_with("index: _id_ dup key: { _id: 1 }"),
        "{}",
        error.message
    );
}

#[test]
fn a_capped_collection_keeps_the_newest() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut scratch = WriteScratch::default();
    let options = CollectionOptions::of(CappedLimits::new(16384, None).expect("in range"));
    catalog
        .create_collection(&mut pager, "d.log", [0; 16], options)
        .expect("created");
    let mut changes = Changes::default();
    let writer = Writer::new(&mut pager, &mut catalog, &mut changes);
    let mut log = writer.into_collection("d.log").expect("it was created");
    let entry = |n: i32| {
        build(|b| {
            b.append("_id", n)
                .append("username", "sophia")
                .append("action_code", n % 5)
                .append("n", n);
        })
    };
    for n in 0..500 {
        log.insert(entry(n).as_document(), &mut scratch)
            .expect("inserted");
    }
    let (collection, pages) = (log.collection(), log.pager());
    let length = entry(0).as_bytes().len() as u64;
    assert_eq!(collection.count(), 16384 / length);
    let oldest = collection
        .first_record(pages)
        .expect("readable")
        .expect("not empty");
    assert_eq!(oldest.0, 500 - collection.count() + 1);
    assert_eq!(
        collection
            .check_capped_position(pages, RecordId(3))
            .map_err(|error| error.code),
        Err(136)
    );
    assert!(
        collection
            .check_capped_position(pages, RecordId(500))
            .is_ok()
    );
    let huge = build(|b| {
        b.append("_id", 1000)
            .append("text", "x".repeat(17_000).as_str());
    });
    let error = log
        .insert(huge.as_document(), &mut scratch)
        .expect_err("too large");
    assert_eq!(error.code, 2);
    assert_paired(&catalog, &pager, "d.log");
}

fn delete_expired(pager: &mut Pager, catalog: &mut Catalog, now_millis: i64) -> u64 {
    if !catalog.is_ttl_due(now_millis, 60_000) {
        return 0;
    }
    let mut changes = Changes::default();
    let mut writer = Writer::new(pager, catalog, &mut changes);
    { writer.delete_expired(now_millis, &NoEnv) }.expect("runs")
}

#[test]
fn documents_expire_by_their_earliest_date() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let collection = catalog
        .create_collection(
            &mut pager,
            "d.reviews",
            [0; 16],
            CollectionOptions::default(),
        )
        .expect("created");
    let expiry = definition(|b| {
        b.begin_document("key").append("at", -1).end();
        b.append("name", "at_-1").append("expireAfterSeconds", 3600);
    });
    collection
        .build_index(&mut pager, expiry, &NoEnv)
        .expect("built");
    let date = ValueRef::DateTime;
    let insert = |pager: &mut Pager,
                  collection: &mut Collection,
                  id: i32,
                  write: &dyn Fn(&mut DocumentBuilder)| {
        let document = build(|b| {
            b.append("_id", id);
            write(b);
        });
        collection
            .insert_document(pager, document.as_document(), &mut WriteScratch::default())
            .expect("inserted");
    };
    insert(&mut pager, collection, 1, &|b| {
        b.append("at", date(1000));
    });
    insert(&mut pager, collection, 2, &|b| {
        b.append("at", date(60_001));
    });
    insert(&mut pager, collection, 3, &|b| {
        b.begin_array("at")
            .append("0", date(9_000_000))
            .append("1", date(0))
            .end();
    });
    insert(&mut pager, collection, 4, &|b| {
        b.append("at", 5);
    });
    insert(&mut pager, collection, 5, &|_| ());
    let remaining = |catalog: &Catalog, pager: &Pager| {
        let collection = catalog.collection("d.reviews").expect("it exists");
        (1..=5)
            .filter(|id| {
                collection
                    .find_by_id(pager, ValueRef::Int32(*id))
                    .expect("readable")
                    .is_some()
            })
            .collect::<Vec<_>>()
    };
    let hour = 3_600_000;
    assert_eq!(delete_expired(&mut pager, &mut catalog, hour - 1), 0);
    assert_eq!(
        delete_expired(&mut pager, &mut catalog, hour + 1000),
        0,
        "not due within a minute"
    );
    assert_eq!(delete_expired(&mut pager, &mut catalog, hour + 60_000), 2);
    assert_eq!(remaining(&catalog, &pager), [2, 4, 5]);
    assert_eq!(delete_expired(&mut pager, &mut catalog, hour * 30), 1);
    assert_eq!(remaining(&catalog, &pager), [4, 5]);
    assert_eq!(catalog.ttl_statistics().deleted_documents, 3);
    assert_eq!(catalog.ttl_statistics().passes, 3);
    assert_paired(&catalog, &pager, "d.reviews");
}

#[test]
fn rolls_back_creations_drops_and_renames() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    catalog
        .create_collection(&mut pager, "d.a", [0; 16], CollectionOptions::default())
        .expect("created");
    let outer = catalog.savepoint();
    catalog
        .create_collection(&mut pager, "d.b", [0; 16], CollectionOptions::default())
        .expect("created");
    let inner = catalog.savepoint();
    catalog.drop_collection(&mut pager, "d.a").expect("dropped");
    catalog.rename_collection("d.b", "e.c");
    assert_eq!(catalog.databases(), ["e"]);
    catalog.rollback_to(inner);
    assert_eq!(catalog.collections_of("d").count(), 2);
    assert!(catalog.collection("e.c").is_none());
    catalog.rollback_to(outer);
    assert_eq!(catalog.collections().count(), 1);
    assert!(
        catalog
            .create_collection(&mut pager, "D.x", [0; 16], CollectionOptions::default())
            .is_err_and(|error| error.code == 13297)
    );
    assert!(
        catalog
            .create_collection(&mut pager, "d.a", [0; 16], CollectionOptions::default())
            .is_err_and(|error| error.code == 48)
    );
}

#[test]
fn long_work_on_a_collection_is_interrupted() {
    let (mut pager, mut collection) = (
        Pager::new(),
        Collection::new("d.c", [1; 16], CollectionOptions::default()),
    );
    let id = definition(|b| {
        b.begin_document("key")
            .append("_id", 1)
            .end()
            .append("name", "_id_");
    });
    collection
        .build_index(&mut pager, id, &NoEnv)
        .expect("built over nothing");
    let mut scratch = WriteScratch::default();
    for number in 0..5000 {
        let mut document = DocumentBuilder::new();
        document
            .append("_id", number)
            .append("a", number * 31 % 5000);
        let document = document.finish();
        collection
            .insert_document(&mut pager, document.as_document(), &mut scratch)
            .expect("nothing refuses it");
    }
    let by_a = || {
        definition(|b| {
            b.begin_document("key")
                .append("a", 1)
                .end()
                .append("name", "a_1");
        })
    };
    let patient = Patience::of(u64::MAX);
    let mut built = collection.clone();
    built
        .build_index(&mut pager, by_a(), &patient)
        .expect("it is patient");
    assert!(
        built
            .check_pairing(&pager, &NoEnv)
            .expect("readable")
            .is_valid()
    );
    // One question for each document, for some partitions of the sort, and for each run that goes into the tree.
    let asked = patient.asked();
    assert!((5005..6000).contains(&asked), "{asked} questions");
    for questions in [10, 5000, 5003, asked - 1] {
        let point = pager.savepoint();
        let mut built = collection.clone();
        let stopped = built.build_index(&mut pager, by_a(), &Patience::of(questions));
        assert!(
            stopped.is_err_and(|error| error.code == 11601),
            "after {questions}"
        );
        pager.rollback_to(point).expect("rolls back");
    }
    assert!(
        collection
            .check_pairing(&pager, &Patience::of(100))
            .is_err()
    );
    let ids: Vec<RecordId> = (1..40).map(RecordId).collect();
    assert!(
        collection
            .delete_records(&mut pager, &ids, &Patience::of(10))
            .is_err()
    );
}

#[test]
fn a_salvage_ends_when_it_is_told_to_and_copies_everything_otherwise() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut scratch = WriteScratch::default();
    let collection = catalog
        .create_collection(&mut pager, "d.c", [7; 16], CollectionOptions::default())
        .expect("created");
    for number in 0..400 {
        let document = build(|document| {
            document
                .append("_id", number)
                .append("text", "x".repeat(400).as_str());
        });
        collection
            .insert_document(&mut pager, document.as_document(), &mut scratch)
            .expect("nothing refuses it");
    }
    catalog.write_back(&mut pager).expect("written");
    let batch = pager.seal().expect("sealed").expect("something to seal");
    let old = Pager::of_remains(Some(&batch.header), batch.pages).expect("sound");
    let salvaged = |env: &Patience| {
        let (mut pager, mut catalog) = (Pager::new(), Catalog::new());
        let put = &mut |copy| catalog.put_collection(copy);
        let found = salvage::salvage(&old, true, &mut pager, &OnlyP, env, put);
        found.map(|found| (found.collections[0].documents, catalog, pager))
    };
    let patient = Patience::of(u64::MAX);
    let (documents, catalog, pager) = salvaged(&patient).expect("nothing is damaged");
    assert_eq!(documents, 400);
    assert_paired(&catalog, &pager, "d.c");
    // Each document is read, and once more for the index.
    assert!(patient.asked() > 800, "{} questions", patient.asked());
    for questions in (0..patient.asked()).step_by(7) {
        let stopped = salvaged(&Patience::of(questions)).map(|_| ());
        let code = stopped.map_err(|error| error.code);
        assert_eq!(code, Err(11601), "after {questions}");
    }
}

#[test]
fn a_salvage_tells_what_a_page_in_the_place_of_another_costs() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut scratch = WriteScratch::default();
    for name in ["d.c", "d.e"] {
        let collection = catalog
            .create_collection(&mut pager, name, [7; 16], CollectionOptions::default())
            .expect("created");
        for number in 0..400 {
            let document = build(|document| {
                document
                    .append("_id", number)
                    .append("text", "x".repeat(400).as_str());
            });
            collection
                .insert_document(&mut pager, document.as_document(), &mut scratch)
                .expect("nothing refuses it");
        }
    }
    catalog.write_back(&mut pager).expect("written");
    let batch = pager.seal().expect("sealed").expect("something to seal");
    let collection = catalog.collection("d.c").expect("it was made");
    let leaf_of = |tree: &Tree| {
        let mut survey = Survey::new(&pager, &NoEnv);
        survey.tree(&pager, tree).expect("sound").leaves[0]
    };
    let records = leaf_of(&collection.records);
    let keys = leaf_of(&collection.id_index().tree);
    let root = leaf_of(&pager.catalog_root());
    // The report on a deployment that has a copy of one page in the place of another.
    let told = |place: PageNumber, copied: PageNumber| {
        let mut pages = batch.pages.clone();
        let copy = pages.iter().find(|page| page.0 == copied);
        let mut bytes = *copy.expect("it was sealed").1;
        page::seal(&mut bytes, place, 0);
        for (number, buffer) in &mut pages {
            if *number == place {
                *buffer = Rc::new(bytes);
            }
        }
        let old = Pager::of_remains(Some(&batch.header), pages).expect("the header is sound");
        let (mut pager, mut catalog) = (Pager::new(), Catalog::new());
        let put = &mut |copy| catalog.put_collection(copy);
        salvage::salvage(&old, true, &mut pager, &OnlyP, &NoEnv, put).expect("memory can be had")
    };
    let without_catalog = told(root, records);
    assert_eq!(
        without_catalog.lost,
        [
            format!("page {root} of the catalog: it tells of no collection"),
            "the catalog: 0 collections and views were found of 2".to_owned(),
        ]
    );
    let found = without_catalog.collections.iter();
    assert_eq!(found.map(|one| one.documents).sum::<u64>(), 800);
    let without_records = told(records, keys);
    assert_eq!(without_records.lost, [""; 0]);
    let [damaged, sound] = &without_records.collections[..] else {
        panic!("two collections: {without_records:?}");
    };
    assert_eq!((sound.documents, sound.lost.len()), (400, 0));
    assert!((1..400).contains(&damaged.documents), "{damaged:?}");
    assert_eq!(
        damaged.lost,
        [
            format!("page {records}: it holds no records"),
            format!("{} documents were found of 400", damaged.documents),
        ]
    );
}

#[test]
fn a_collection_and_its_indexes_have_a_page_each_from_the_beginning() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut scratch = WriteScratch::default();
    let collection = catalog
        .create_collection(&mut pager, "d.c", [7; 16], CollectionOptions::default())
        .expect("created");
    for definition in indexes() {
        collection
            .build_index(&mut pager, definition, &NoEnv)
            .expect("built over nothing");
    }
    let pages = |collection: &Collection| -> Vec<u64> {
        let trees = collection
            .indexes
            .iter()
            .map(|index| index.tree.page_count());
        std::iter::once(collection.records.page_count())
            .chain(trees)
            .collect()
    };
    assert_eq!(pages(collection), [1; 8]);
    let planted = pager.page_count();
    for one_by_one in [true, false] {
        let mut ids = Vec::new();
        let mut documents = Documents(Random::new(3));
        for id in 0..300 {
            let document = documents.document(id);
            ids.extend(collection.insert_document(
                &mut pager,
                document.as_document(),
                &mut scratch,
            ));
        }
        assert!(ids.len() > 100 && pages(collection)[0] > 1);
        if one_by_one {
            for id in ids {
                let deleted = collection.delete_record(&mut pager, id, &mut scratch);
                assert!(deleted.expect("the pages are sound"));
            }
        } else {
            let deleted = collection.delete_records(&mut pager, &ids, &NoEnv);
            assert_eq!(deleted.expect("the pages are sound"), ids.len() as u64);
        }
        // As many pages as an empty collection has taken from its creation.
        assert_eq!(pages(collection), [1; 8], "one by one: {one_by_one}");
    }
    assert_eq!(planted, 9);
    assert_paired(&catalog, &pager, "d.c");
}
