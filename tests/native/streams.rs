//! Change streams against a copy: random writes with crashes and another tab, and streams that go on behind any token.
//!
//! Invariant: the events behind a token, applied to the copy of its time, give the collection: none is lost, doubled or
//! out of order. A token of a change that a crash took back is refused, and never goes on with other changes. Seeded by
//! `QUIRE_SEED`, which is printed; `QUIRE_OPERATIONS` makes it longer.

use crate::support::random::Random;
use crate::support::stored::{commit, done, host, open};
use bson::{Bson, Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{MemoryDevice, PageDevice, page};
use std::collections::BTreeMap;

type Copy = BTreeMap<i32, Document>;

/// A place in the stream, and the collection as it was there.
#[derive(Clone)]
struct Place {
    token: Document,
    copy: Copy,
    /// A crash does not take the changes before it back.
    is_durable: bool,
}

struct Bench {
    env: NativeEnv,
    device: MemoryDevice,
    /// Two tabs; the first one writes.
    tabs: Vec<Engine>,
    places: Vec<Place>,
    random: Random,
    writes: usize,
}

fn environment(name: &str, otherwise: usize) -> usize {
    let value = { std::env::var(name).ok() }.and_then(|text| text.parse().ok());
    let value = value.unwrap_or(otherwise);
    println!("{name}={value}");
    value
}

fn run(engine: &mut Engine, env: &NativeEnv, command: &Document) -> Document {
    let bytes = bson::serialize_to_vec(command).expect("a command is a document");
    bson::deserialize_from_slice(&engine.run(&bytes, env).reply).expect("a reply is a document")
}

/// Sets or removes the value at the end of a path.
fn put(value: &mut Bson, path: &[Bson], new: Option<&Bson>) {
    let [first, rest @ ..] = path else {
        *value = new.cloned().unwrap_or(Bson::Null);
        return;
    };
    match value {
        Bson::Array(items) => {
            let at = match first {
                Bson::Int32(at) => *at as usize,
                other => other
                    .as_str()
                    .and_then(|at| at.parse().ok())
                    .expect("a position"),
            };
            while items.len() <= at {
                items.push(Bson::Null);
            }
            put(&mut items[at], rest, new);
        }
        Bson::Document(fields) => {
            let name = first.as_str().expect("a field's name");
            match (rest.is_empty(), new) {
                (true, None) => drop(fields.remove(name)),
                _ => put(
                    fields.entry(name.to_owned()).or_insert(Bson::Null),
                    rest,
                    new,
                ),
            }
        }
        other => panic!("nothing lies below {other}"),
    }
}

fn at_path(value: &mut Bson, path: &[Bson]) -> usize {
    match (value, path) {
        (Bson::Array(items), []) => items.len(),
        (Bson::Document(fields), [Bson::String(first), rest @ ..]) => {
            at_path(fields.get_mut(first).expect("it is there"), rest)
        }
        (Bson::Array(items), [Bson::Int32(at), rest @ ..]) => {
            at_path(&mut items[*at as usize], rest)
        }
        (Bson::Array(items), [Bson::String(at), rest @ ..]) => {
            at_path(&mut items[at.parse::<usize>().expect("a position")], rest)
        }
        (other, path) => panic!("no array at {path:?} of {other}"),
    }
}

/// Does to a copy what an event tells.
fn apply(copy: &mut Copy, event: &Document) {
    let kind = event.get_str("operationType").expect("each has one");
    let key = event.get_document("documentKey").ok();
    let id = key.map(|key| key.get_i32("_id").expect("keys are numbers"));
    match (kind, id) {
        ("insert", Some(id)) => {
            let full = event
                .get_document("fullDocument")
                .expect("an insert has it");
            assert!(copy.insert(id, full.clone()).is_none(), "{id} was there");
        }
        ("replace", Some(id)) => {
            let full = event
                .get_document("fullDocument")
                .expect("a replace has it");
            assert!(
                copy.insert(id, full.clone()).is_some(),
                "{id} was not there"
            );
        }
        ("delete", Some(id)) => assert!(copy.remove(&id).is_some(), "{id} was not there"),
        ("update", Some(id)) => {
            let told = event
                .get_document("updateDescription")
                .expect("an update has it");
            let clear = told.get_document("disambiguatedPaths").expect("asked for");
            let parts = |path: &str| match clear.get_array(path) {
                Ok(parts) => parts.clone(),
                Err(_) => path
                    .split('.')
                    .map(|part| Bson::String(part.to_owned()))
                    .collect(),
            };
            let before = copy.remove(&id).expect("an updated document is there");
            let mut document = Bson::Document(before);
            for one in told.get_array("truncatedArrays").expect("a list") {
                let one = one.as_document().expect("of documents");
                let path = parts(one.get_str("field").expect("a path"));
                let length = one.get_i32("newSize").expect("a length") as usize;
                assert!(at_path(&mut document, &path) > length);
                truncate(&mut document, &path, length);
            }
            for (path, value) in told.get_document("updatedFields").expect("fields") {
                put(&mut document, &parts(path), Some(value));
            }
            for path in told.get_array("removedFields").expect("a list") {
                put(&mut document, &parts(path.as_str().expect("a path")), None);
            }
            let Bson::Document(document) = document else {
                panic!("a document stays one")
            };
            copy.insert(id, document);
        }
        ("drop", None) => copy.clear(),
        ("create" | "createIndexes" | "dropIndexes" | "modify", None) => {}
        other => panic!("no event is expected of {other:?}"),
    }
}

fn truncate(value: &mut Bson, path: &[Bson], length: usize) {
    match (value, path) {
        (Bson::Array(items), []) => items.truncate(length),
        (Bson::Document(fields), [Bson::String(first), rest @ ..]) => {
            truncate(fields.get_mut(first).expect("it is there"), rest, length);
        }
        (Bson::Array(items), [Bson::Int32(at), rest @ ..]) => {
            truncate(&mut items[*at as usize], rest, length);
        }
        (Bson::Array(items), [Bson::String(at), rest @ ..]) => {
            truncate(
                &mut items[at.parse::<usize>().expect("a position")],
                rest,
                length,
            );
        }
        (other, path) => panic!("no array at {path:?} of {other}"),
    }
}

impl Bench {
    fn new(seed: usize) -> Self {
        let env = host();
        let device = MemoryDevice::new();
        let mut engine = Engine::create(&env).expect("memory can be had");
        let begun = doc! { "quireOplog": 1, "enabled": true, "size": 64_i64 << 20, "$db": "admin" };
        done(&mut engine, &env, &begun);
        commit(&mut engine, &device);
        let other = open(&device, &env).expect("it was stored");
        let mut bench = Self {
            env,
            device,
            tabs: vec![engine, other],
            places: Vec::new(),
            random: Random::new(seed as u64),
            writes: 0,
        };
        bench.begin();
        bench
    }

    /// A new stream, with the collection as it is.
    fn begin(&mut self) {
        let opened = self.open(doc! {});
        let token = opened.get_document("cursor").expect("opened");
        let token = token
            .get_document("postBatchResumeToken")
            .expect("a token")
            .clone();
        let copy = self.present();
        let is_durable = !self.tabs[0].has_changes();
        self.places.push(Place {
            token,
            copy,
            is_durable,
        });
    }

    fn present(&mut self) -> Copy {
        let all = doc! { "find": "herbs", "batchSize": 1000, "$db": "garden" };
        let found = run(&mut self.tabs[0], &self.env, &all);
        let found = found
            .get_document("cursor")
            .expect("a cursor")
            .get_array("firstBatch");
        let mut present = Copy::new();
        for document in found.expect("a batch") {
            let document = document.as_document().expect("a document");
            present.insert(document.get_i32("_id").expect("a number"), document.clone());
        }
        present
    }

    fn open(&mut self, mut options: Document) -> Document {
        options.insert("showExpandedEvents", true);
        let stages = vec![doc! { "$changeStream": options }];
        let size = 1 + self.random.below(300) as i32;
        let command = doc! {
            "aggregate": 1, "pipeline": stages, "cursor": { "batchSize": size }, "$db": "garden",
        };
        run(&mut self.tabs[0], &self.env, &command)
    }

    fn value(&mut self) -> Bson {
        match self.random.below(6) {
            0 => Bson::Int32(self.random.below(100) as i32),
            1 => Bson::String("word ".repeat(self.random.below(9))),
            2 => Bson::Array(
                (0..self.random.below(6))
                    .map(|item| Bson::Int32(item as i32))
                    .collect(),
            ),
            3 => Bson::Array(
                (0..self.random.below(4))
                    .map(|item| Bson::Document(doc! { "n": item as i32, "0": 1 }))
                    .collect(),
            ),
            4 => Bson::Document(
                doc! { "a": self.random.below(9) as i32, "0": { "b": [1, 2, { "c": 3 }] } },
            ),
            _ => Bson::Null,
        }
    }

    fn document(&mut self, id: i32) -> Document {
        let mut document = doc! { "_id": id };
        for name in ["a", "b", "list", "sub"] {
            if self.random.below(3) > 0 {
                let value = self.value();
                document.insert(name, value);
            }
        }
        document
    }

    fn update(&mut self) -> Bson {
        let value = self.value();
        let path = self
            .random
            .pick(&["a", "b", "sub", "list", "new"])
            .to_owned();
        let operators = match self.random.below(12) {
            0 => doc! { "$set": { path: value } },
            1 => doc! { "$unset": { path: 1 } },
            2 => doc! { "$set": { format!("{path}.0"): value } },
            3 => doc! { "$set": { format!("{path}.a.0"): value } },
            4 => doc! { "$push": { path: value } },
            5 => doc! { "$push": { path: { "$each": [value, 7], "$position": 1 } } },
            6 => doc! { "$addToSet": { path: value } },
            7 => doc! { "$pull": { path: 2 } },
            8 => doc! { "$inc": { "list.$[].n": 1 } },
            9 => doc! { "$rename": { path: "c" } },
            10 => doc! { "$set": { "b": value, "sub.0.b.2.c": 9 }, "$unset": { "sub.a": 1 } },
            _ => {
                let stage = match self.random.below(4) {
                    0 => doc! { "$set": { path: value } },
                    1 => doc! { "$unset": path },
                    2 => {
                        doc! { "$set": { "list": { "$cond": [{ "$isArray": "$list" }, { "$slice": ["$list", 2] }, []] } } }
                    }
                    _ => {
                        doc! { "$replaceWith": { "$mergeObjects": [{ "x": value }, "$$ROOT", { "y": 1 }] } }
                    }
                };
                return Bson::Array(vec![Bson::Document(stage)]);
            }
        };
        Bson::Document(operators)
    }

    /// One command that writes. Some of its documents may be refused.
    fn write(&mut self) {
        let at = self.random.below(400) as i32;
        let some = doc! { "_id": { "$gte": at, "$lt": at + 1 + self.random.below(40) as i32 } };
        let command = match self.random.below(100) {
            0..35 => {
                let documents: Vec<Document> = (0..1 + self.random.below(40) as i32)
                    .map(|more| self.document((at + more) % 400))
                    .collect();
                doc! { "insert": "herbs", "documents": documents, "ordered": false }
            }
            35..75 => {
                let update = self.update();
                doc! { "update": "herbs", "updates": [{ "q": some, "u": update, "multi": true }] }
            }
            75..80 => {
                let mut document = self.document(at);
                document.remove("_id");
                doc! { "update": "herbs", "updates": [{ "q": { "_id": at }, "u": document, "upsert": true }] }
            }
            80..98 => doc! { "delete": "herbs", "deletes": [{ "q": some, "limit": 0 }] },
            98 => {
                doc! { "createIndexes": "herbs", "indexes": [{ "key": { "a": 1 }, "name": "a" }] }
            }
            _ if self.random.below(20) > 0 => return,
            _ => doc! { "drop": "herbs" },
        };
        let mut command = command;
        command.insert("$db", "garden");
        let reply = run(&mut self.tabs[0], &self.env, &command);
        let changed = reply.get_i32("nModified").or(reply.get_i32("n"));
        self.writes += changed.unwrap_or(0).max(0) as usize;
    }

    fn store(&mut self) {
        if self.tabs[0].has_changes() {
            commit(&mut self.tabs[0], &self.device);
        }
        self.places
            .iter_mut()
            .for_each(|place| place.is_durable = true);
    }

    /// Another tab goes on with what this one stored.
    fn change_tabs(&mut self) {
        self.store();
        self.tabs.swap(0, 1);
        let known = self.tabs[0].pager().sequence();
        let header = block_on(self.device.read_header()).expect("memory can be read");
        let mut changed = block_on(self.device.read_pages(1, 100_000)).expect("memory can be read");
        changed.retain(|(_, buffer)| page::sequence_of(buffer) > known);
        let header = header.expect("it was stored");
        { self.tabs[0].refresh(&header, changed, &self.env) }.expect("nothing here is unsaved");
    }

    fn crash(&mut self) {
        self.env.advance(1_500);
        self.tabs[0] = open(&self.device, &self.env).expect("it was stored");
        let (durable, lost) = { self.places.drain(..) }.partition(|place| place.is_durable);
        self.places = durable;
        let place: Option<Place> = lost.into_iter().next();
        // Also once others were made.
        (0..3).for_each(|_| self.write());
        let Some(place) = place else { return };
        let reply = self.open(doc! { "resumeAfter": place.token.clone() });
        match reply.get_i32("code") {
            Ok(code) => assert_eq!(code, 280, "{reply}"),
            // The change itself was stored.
            Err(_) => {
                self.places.push(place);
                self.follow(self.places.len() - 1);
            }
        }
    }

    /// Goes on behind a token, and compares what that gives with the collection.
    fn follow(&mut self, at: usize) {
        let mut place = self.places[at].clone();
        let mut reply = self.open(doc! { "resumeAfter": place.token.clone() });
        loop {
            let cursor = reply
                .get_document("cursor")
                .unwrap_or_else(|_| panic!("{reply}"));
            let batch = cursor
                .get_array("firstBatch")
                .or(cursor.get_array("nextBatch"));
            let batch = batch.expect("a batch").clone();
            for event in &batch {
                apply(&mut place.copy, event.as_document().expect("a document"));
            }
            place.token = cursor
                .get_document("postBatchResumeToken")
                .expect("a token")
                .clone();
            if self.random.below(6) == 0 && self.places.len() < 6 {
                let is_durable = !self.tabs[0].has_changes();
                self.places.push(Place {
                    is_durable,
                    ..place.clone()
                });
            }
            let id = cursor.get_i64("id").expect("an id");
            if batch.is_empty() {
                let end =
                    doc! { "killCursors": "$cmd.aggregate", "cursors": [id], "$db": "garden" };
                done(&mut self.tabs[0], &self.env, &end);
                break;
            }
            let more = doc! { "getMore": id, "collection": "$cmd.aggregate", "$db": "garden" };
            reply = run(&mut self.tabs[0], &self.env, &more);
        }
        let present = self.present();
        for (id, document) in &present {
            assert_eq!(place.copy.get(id), Some(document), "of {id}");
        }
        assert_eq!(place.copy.len(), present.len());
        let is_durable = !self.tabs[0].has_changes();
        let place = Place {
            is_durable,
            ..place
        };
        match self.random.below(3) > 0 {
            true => self.places[at] = place,
            false if self.places.len() < 6 => self.places.push(place),
            false => {}
        }
    }
}

#[test]
fn a_stream_behind_any_token_gives_the_collection() {
    let mut bench = Bench::new(environment("QUIRE_SEED", 20_260));
    let most = environment("QUIRE_OPERATIONS", 40_000);
    let mut crashes = 0;
    while bench.writes < most {
        for _ in 0..1 + bench.random.below(12) {
            bench.write();
        }
        match bench.random.below(12) {
            0 => {
                bench.crash();
                crashes += 1;
            }
            1 => bench.change_tabs(),
            2..6 => bench.store(),
            _ => {}
        }
        if bench.random.below(8) == 0 {
            let at = bench.random.below(bench.places.len().max(1));
            if at < bench.places.len() {
                bench.follow(at);
            }
        }
        if bench.places.is_empty() {
            bench.begin();
        }
        if bench.places.len() > 3 {
            bench.places.remove(0);
        }
    }
    assert!(crashes > 10);
    (0..bench.places.len()).for_each(|at| bench.follow(at));
}
