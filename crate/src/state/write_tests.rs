//! Tests of the door to write: what it notes, in which order, and what that costs.

use super::*;
use crate::bson::extended_json::parse_document;
use crate::bson::{Document, DocumentBuf};
use crate::catalog::{
    CappedLimits, Catalog, Collection, CollectionOptions, IndexDefinition, RecordId, View,
    WriteScratch,
};
use crate::collation::Collation;
use crate::env::NoEnv;
use crate::query::PartialFilterCompiler;
use crate::storage::Pager;
use std::rc::Rc;

/// A deployment without an engine.
struct Space {
    pager: Pager,
    catalog: Catalog,
    changes: Changes,
}

fn json(text: &str) -> DocumentBuf {
    parse_document(text).expect("the test's JSON is valid")
}

impl Space {
    fn with(interest: Interest) -> Self {
        Self {
            pager: Pager::new(),
            catalog: Catalog::new(),
            changes: Changes::with(interest),
        }
    }

    fn writer(&mut self) -> Writer<'_> {
        Writer::new(&mut self.pager, &mut self.catalog, &mut self.changes)
    }

    fn collection(&mut self, namespace: &str) -> CollectionWriter<'_> {
        { self.writer().into_created(namespace, &mut || [1; 16]) }.expect("created")
    }

    fn insert(&mut self, namespace: &str, documents: &[&str]) {
        let mut collection = self.collection(namespace);
        for document in documents {
            let document = json(document);
            { collection.insert(document.as_document(), &mut WriteScratch::default()) }
                .expect("nothing refuses it");
        }
    }

    fn update(&mut self, namespace: &str, record: u64, to: &str) {
        let mut collection = self.collection(namespace);
        let (record, to) = (RecordId(record), json(to));
        let located = { collection.collection().locate(collection.pager(), record) }
            .expect("readable")
            .expect("it is there");
        let read = collection
            .collection()
            .read_at(collection.pager(), &located);
        let before = DocumentBuf::from_valid_bytes(read.expect("readable").into_owned());
        let (old, new) = (before.as_document(), to.as_document());
        {
            collection.update(
                (record, located),
                old,
                new,
                None,
                &mut WriteScratch::default(),
            )
        }
        .expect("nothing refuses it");
    }

    /// The operations so far, worded.
    fn operations(&self) -> Vec<String> {
        self.changes.operations().iter().map(worded).collect()
    }

    fn told(&self) -> String {
        let told = self.changes.told();
        let all = told.get("written").as_array().expect("an array");
        let one = |one: Document<'_>| {
            let text = |name| one.get(name).as_str().unwrap_or_default().to_owned();
            let count = one.get("count").as_exact_i64().expect("a number");
            let from = match text("from") {
                from if from.is_empty() => from,
                from => format!(" from {from}"),
            };
            format!("{} {} {count}{from}", text("kind"), text("namespace"))
        };
        let all = all
            .iter()
            .map(|item| one(item.as_document().expect("a document")));
        all.collect::<Vec<_>>().join(", ")
    }
}

fn worded(operation: &Operation) -> String {
    match operation {
        Operation::Inserted(namespace, document) => {
            format!("insert {namespace} {}", document.as_document())
        }
        Operation::Updated {
            namespace,
            before,
            after,
            ..
        } => {
            let (before, after) = (before.as_document(), after.as_document());
            format!("update {namespace} {before} {after}")
        }
        Operation::Deleted(namespace, document) => {
            format!("delete {namespace} {}", document.as_document())
        }
        Operation::Created(namespace) => format!("create {namespace}"),
        Operation::Dropped(namespace) => format!("drop {namespace}"),
        Operation::DroppedDatabase(database) => format!("dropDatabase {database}"),
        Operation::Renamed {
            from,
            to,
            drops_target,
        } => format!("rename {from} {to} {drops_target}"),
        Operation::Indexed(namespace, name) => format!("createIndex {namespace} {name}"),
        Operation::Unindexed(namespace, name) => format!("dropIndex {namespace} {name}"),
        Operation::Changed(namespace) => format!("modify {namespace}"),
    }
}

fn index(text: &str) -> IndexDefinition {
    let compiler = PartialFilterCompiler { env: &NoEnv };
    IndexDefinition::parse(json(text).as_document(), &compiler, &Collation::SIMPLE)
        .expect("the specification is valid")
}

fn capped(max: i64) -> CollectionOptions {
    CollectionOptions::of(CappedLimits::new(4096, Some(max)).expect("in range"))
}

/// What a run of every kind of write does.
fn write_everything(space: &mut Space) {
    space.insert("d.a", &[r#"{"_id":1,"n":1}"#, r#"{"_id":2,"n":2}"#]);
    space.update("d.a", 1, r#"{"_id":1,"n":7}"#);
    let mut scratch = WriteScratch::default();
    { space.collection("d.a").delete(RecordId(2), &mut scratch) }.expect("deleted");
    { space.writer().create("d.log", [2; 16], capped(2)) }.expect("created");
    space.insert("d.log", &[r#"{"_id":1}"#, r#"{"_id":2}"#, r#"{"_id":3}"#]);
    let by_n = index(r#"{"key":{"n":1},"name":"n_1"}"#);
    { space.collection("d.a").add_index(by_n, &NoEnv) }.expect("built");
    space
        .collection("d.a")
        .change_index("n_1", &|one| one.hidden = true)
        .expect("nothing holds it");
    { space.collection("d.a").remove_index("n_1") }.expect("dropped");
    { space.writer().rename("d.a", "d.log", None) }.expect("renamed");
    { space.writer().drop_named("d.log") }.expect("dropped");
}

#[test]
fn operations_keep_their_order_and_documents_where_somebody_asks() {
    let mut space = Space::with(Interest::Documents);
    write_everything(&mut space);
    assert_eq!(
        space.operations(),
        [
            "create d.a",
            r#"insert d.a { _id: 1, n: 1 }"#,
            r#"insert d.a { _id: 2, n: 2 }"#,
            r#"update d.a { _id: 1, n: 1 } { _id: 1, n: 7 }"#,
            r#"delete d.a { _id: 2, n: 2 }"#,
            "create d.log",
            r#"insert d.log { _id: 1 }"#,
            r#"insert d.log { _id: 2 }"#,
            r#"insert d.log { _id: 3 }"#,
            r#"delete d.log { _id: 1 }"#,
            "createIndex d.a n_1",
            "modify d.a",
            "dropIndex d.a n_1",
            "rename d.a d.log true",
            "drop d.log",
        ]
    );
}

#[test]
fn counts_are_by_namespace_and_kind_and_keep_no_documents() {
    for interest in [Interest::Counts, Interest::Documents] {
        let mut space = Space::with(interest);
        write_everything(&mut space);
        assert_eq!(
            space.told(),
            "inserted d.a 2, updated d.a 1, deleted d.a 1, indexed d.a 1, unindexed d.a 1, \
             changed d.a 1, created d.log 1, inserted d.log 3, overwritten d.log 1, dropped d.log 1, \
             renamed d.log 1 from d.a"
        );
        let totals = space.changes.documents();
        assert_eq!((totals.inserted, totals.updated, totals.deleted), (5, 1, 2));
        let keeps = interest == Interest::Documents;
        assert_eq!(space.changes.operations().is_empty(), !keeps);
        space.changes.clear();
        assert!(space.changes.is_empty() && space.changes.operations().is_empty());
        assert_eq!(space.changes.documents(), DocumentTotals::default());
    }
}

#[test]
fn a_document_that_is_refused_is_not_noted() {
    let mut space = Space::with(Interest::Documents);
    space.insert("d.a", &[r#"{"_id":1}"#]);
    space.changes.clear();
    let (mut scratch, twice) = (WriteScratch::default(), json(r#"{"_id":1}"#));
    let refused = space
        .collection("d.a")
        .insert(twice.as_document(), &mut scratch);
    assert_eq!(refused.expect_err("a duplicate").code, 11000);
    let same = vec![twice.as_document(); 20];
    assert_eq!(
        { space.collection("d.a").insert_many(&same) }.ok(),
        Some(false)
    );
    assert!(space.changes.is_empty(), "{}", space.told());
}

#[test]
fn many_documents_are_deleted_without_being_read_unless_somebody_asks() {
    let bytes_read = |interest: Interest| {
        let mut space = Space::with(interest);
        let documents: Vec<DocumentBuf> = { 0..500 }
            .map(|n| json(&format!(r#"{{"_id":{n},"text":"some words"}}"#)))
            .collect();
        let all: Vec<Document<'_>> = documents.iter().map(DocumentBuf::as_document).collect();
        assert_eq!(
            { space.collection("d.a").insert_many(&all) }.ok(),
            Some(true)
        );
        space.changes.clear();
        let before = space.pager.accounting().counters().bytes_read;
        let ids: Vec<RecordId> = { 1..=400 }.map(RecordId).collect();
        let deleted = { space.collection("d.a").delete_many(&ids, &NoEnv) }.expect("deleted");
        assert_eq!(deleted, 400);
        assert_eq!(space.told(), "deleted d.a 400");
        let kept = space.operations();
        assert_eq!(
            kept.len(),
            if interest == Interest::Counts { 0 } else { 400 }
        );
        space.pager.accounting().counters().bytes_read - before
    };
    assert_eq!(bytes_read(Interest::Counts), 0);
    assert!(bytes_read(Interest::Documents) > 400 * 20);
}

#[test]
fn a_collection_that_takes_anothers_place_is_told_as_that() {
    let mut space = Space::with(Interest::Documents);
    space.insert("d.out", &[r#"{"_id":1}"#]);
    space.changes.clear();
    let filled = Collection::new("d.tmp", [3; 16], CollectionOptions::default());
    let mut writer = space.writer();
    let mut begun = { writer.begin_replacement(filled, "d.out") }.expect("begun");
    for document in [r#"{"_id":7}"#, r#"{"_id":8}"#] {
        let (document, mut scratch) = (json(document), WriteScratch::default());
        {
            writer
                .fill(&mut begun)
                .insert(document.as_document(), &mut scratch)
        }
        .expect("nothing refuses it");
    }
    let old = { writer.put_replacement(begun) }
        .expect("put")
        .expect("it was there");
    assert_eq!((old.uuid, old.count()), ([1; 16], 1));
    assert_eq!(
        space.operations(),
        [
            "create d.tmp",
            r#"insert d.tmp { _id: 7 }"#,
            r#"insert d.tmp { _id: 8 }"#,
            "rename d.tmp d.out true",
        ]
    );
    assert_eq!(space.told(), "replaced d.out 2");
    assert_eq!(space.changes.documents().inserted, 2);
    let source = Rc::clone(
        space
            .catalog
            .collection("d.out")
            .expect("it took the place"),
    );
    space.changes.clear();
    let limits = CappedLimits::new(4096, None).expect("in range");
    let mut writer = space.writer();
    let cloned = writer.clone_as_capped(&source, "d.copy", [5; 16], limits, &NoEnv);
    cloned.expect("cloned");
    let converted = writer.convert_to_capped(&source, [4; 16], limits, &NoEnv);
    converted.expect("converted");
    assert_eq!(
        space.told(),
        "created d.copy 1, inserted d.copy 2, replaced d.out 2"
    );
    let converted = space.catalog.collection("d.out").expect("it is there");
    assert!(converted.options.kind.limits().is_some() && converted.uuid == [4; 16]);
}

#[test]
fn a_dropped_database_is_told_once() {
    let mut space = Space::with(Interest::Documents);
    for namespace in ["d.a", "d.b", "other.c"] {
        space.insert(namespace, &[r#"{"_id":1}"#]);
    }
    space.changes.clear();
    let dropped = { space.writer().drop_database("d") }.expect("dropped");
    assert_eq!(dropped.len(), 2);
    assert_eq!(space.told(), "dropped d 1");
    assert_eq!(
        space.operations(),
        ["drop d.a", "drop d.b", "dropDatabase d"]
    );
    space.changes.clear();
    assert!(
        { space.writer().drop_database("d") }
            .expect("nothing is there")
            .is_empty()
    );
    assert!(space.changes.is_empty());
}

#[test]
fn a_view_is_created_and_changed_by_its_own_name() {
    let mut space = Space::with(Interest::Documents);
    let view = |on| {
        let pipeline = crate::bson::Array::EMPTY;
        Collection::new(
            "d.v",
            [6; 16],
            CollectionOptions::of(View::new(on, pipeline)),
        )
    };
    { space.writer().create_view(view("a"), [7; 16]) }.expect("created");
    space.writer().change_view(view("b"));
    assert_eq!(space.told(), "created d.v 1, changed d.v 1");
    assert!(space.catalog.collection("d.system.views").is_some());
}

#[test]
fn expired_documents_are_told_apart_from_deleted_ones() {
    let mut space = Space::with(Interest::Documents);
    let old = r#"{"_id":1,"at":{"$date":{"$numberLong":"0"}}}"#;
    space.insert("d.a", &[old, r#"{"_id":2}"#]);
    let expiry = index(r#"{"key":{"at":1},"name":"at_1","expireAfterSeconds":60}"#);
    { space.collection("d.a").add_index(expiry, &NoEnv) }.expect("built");
    space.changes.clear();
    assert_eq!(
        { space.writer().delete_expired(100_000, &NoEnv) }.ok(),
        Some(1)
    );
    assert_eq!(space.told(), "expired d.a 1");
    assert_eq!(space.changes.documents(), DocumentTotals::default());
    assert!(space.operations()[0].starts_with("delete d.a { _id: 1"));
    space.changes.clear();
    assert_eq!(
        { space.writer().delete_expired(100_001, &NoEnv) }.ok(),
        Some(0)
    );
    assert!(space.changes.is_empty());
}

#[test]
fn what_is_restored_is_told_as_the_way_back() {
    let mut space = Space::with(Interest::Documents);
    space.insert("d.a", &[r#"{"_id":1}"#, r#"{"_id":2}"#]);
    space.insert("d.gone", &[r#"{"_id":1}"#]);
    { space.catalog.write_back(&mut space.pager) }.expect("written");
    let number = { space.pager.make_moment(&json("{}").into_bytes()) }.expect("made");
    space.update("d.a", 1, r#"{"_id":1,"x":1}"#);
    {
        space
            .collection("d.a")
            .delete(RecordId(2), &mut WriteScratch::default())
    }
    .expect("deleted");
    space.insert("d.a", &[r#"{"_id":3}"#]);
    space.insert("d.new", &[r#"{"_id":1}"#]);
    { space.writer().drop_named("d.gone") }.expect("dropped");
    { space.catalog.write_back(&mut space.pager) }.expect("written");
    space.changes.clear();
    let moment = { space.pager.moment(number) }
        .expect("readable")
        .expect("it is kept");
    let compiler = PartialFilterCompiler { env: &NoEnv };
    let past = { Catalog::of_moment(&space.pager, &moment, &compiler) }.expect("readable");
    for namespace in ["d.new", "d.a", "d.gone"] {
        assert_eq!(
            { space.writer().restore(namespace, &past, &NoEnv) }.ok(),
            Some(true)
        );
        assert_eq!(
            { space.writer().restore(namespace, &past, &NoEnv) }.ok(),
            Some(false)
        );
    }
    assert_eq!(
        space.operations(),
        [
            "drop d.new",
            r#"update d.a { _id: 1, x: 1 } { _id: 1 }"#,
            r#"insert d.a { _id: 2 }"#,
            r#"delete d.a { _id: 3 }"#,
            "create d.gone",
            r#"insert d.gone { _id: 1 }"#,
        ]
    );
    assert_eq!(
        space.told(),
        "restored d.new 1, restored d.a 1, restored d.gone 1"
    );
}

#[test]
fn later_changes_are_added_in_the_order_of_their_namespaces() {
    let mut all = Changes::default();
    let mut space = Space::with(Interest::Counts);
    for namespace in ["d.z", "d.a"] {
        space.insert(namespace, &[r#"{"_id":1}"#]);
    }
    all.absorb(&mut space.changes);
    assert!(space.changes.is_empty());
    space.insert("d.m", &[r#"{"_id":1}"#]);
    space.insert("d.z", &[r#"{"_id":2}"#]);
    all.absorb(&mut space.changes);
    let names: Vec<&str> = all.by_namespace().map(|one| &*one.namespace).collect();
    assert_eq!(names, ["d.z", "d.a", "d.m"]);
    let first = all.by_namespace().next().expect("there are three");
    assert_eq!(
        (first.count(Kind::Implied), first.count(Kind::Inserted)),
        (1, 2)
    );
    assert_eq!(all.documents().inserted, 4);
    assert!(space.changes.is_empty());
    assert_eq!(space.changes.documents(), DocumentTotals::default());
}
