//! Transactions against a model: several open at once in one engine, writes outside of them, another tab over the same
//! store, crashes, and pages that come on demand.
//!
//! Held after every command: a transaction sees the state that it began on and its own writes; the present is that of
//! the commits alone, each of them whole; the first writer of a document or of a unique key wins, and the other one is
//! told 112 at that write. Seeded by `QUIRE_SEED`, which is printed; `QUIRE_CASES` makes it longer.

use crate::support::random::Random;
use crate::support::stored::{commit, done, host, open};
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::error::CommandError;
use quire::storage::conformance::block_on;
use quire::storage::{
    Durability, Fault, FaultDevice, Fetched, MemoryDevice, PageDevice, Pager, fault, load, page,
};
use std::collections::{BTreeMap, BTreeSet};

const COLLECTIONS: [&str; 2] = ["herbs", "teas"];
const SESSIONS: usize = 4;
const IDS: usize = 9;
const CODES: usize = 5;

fn environment(name: &str, otherwise: u64) -> u64 {
    let value = std::env::var(name).ok().and_then(|text| text.parse().ok());
    let value = value.unwrap_or(otherwise);
    println!("{name}={value}");
    value
}

type Place = (usize, i64);

/// A document: which one it is among all that there ever were, its content, its unique code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plant {
    record: u64,
    n: i64,
    code: Option<i64>,
}

impl Plant {
    fn is_alike(&self, other: &Self) -> bool {
        (self.n, self.code) == (other.n, other.code)
    }
}

type Garden = BTreeMap<Place, Plant>;

/// What a write holds: a document that was there, an `_id`, a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    Record(u64),
    Id(Place),
    Code(usize, i64),
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Insert(Place, Plant),
    Update(Place, Plant, Plant),
    Delete(Place, Plant),
}

/// What a write does.
#[derive(Debug, Clone, Copy)]
enum Wish {
    Insert { n: i64, code: Option<i64> },
    Content { n: i64 },
    Code { code: i64 },
    Delete,
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Done(i64),
    Duplicate,
    Conflict,
}

struct Open {
    sees: Garden,
    own: BTreeSet<u64>,
    claims: BTreeSet<Claim>,
    changes: Vec<Change>,
}

#[derive(Default)]
struct Model {
    present: Garden,
    open: [Option<Open>; SESSIONS],
    records: u64,
}

fn has_code(garden: &Garden, collection: usize, code: i64) -> Option<u64> {
    let mut all = garden.iter();
    all.find(|((of, _), plant)| *of == collection && plant.code == Some(code))
        .map(|(_, plant)| plant.record)
}

impl Model {
    fn is_claimed(&self, but: Option<usize>, claim: Claim) -> bool {
        let others = self.open.iter().enumerate();
        { others.filter(|(session, _)| Some(*session) != but) }
            .filter_map(|(_, open)| open.as_ref())
            .any(|open| open.claims.contains(&claim))
    }

    /// Makes a write, inside of a session's transaction or outside.
    fn write(&mut self, session: Option<usize>, place: Place, wish: Wish) -> Outcome {
        let open = session.and_then(|session| self.open[session].as_ref());
        let sees = open.map_or(&self.present, |open| &open.sees);
        let old = sees.get(&place).copied();
        let new = match (wish, old) {
            (Wish::Insert { n, code }, _) => Some((n, code)),
            (_, None) => return Outcome::Done(0),
            (Wish::Content { n }, Some(old)) => Some((n, old.code)),
            (Wish::Code { code }, Some(old)) if old.code == Some(code) => return Outcome::Done(1),
            (Wish::Code { code }, Some(old)) => Some((old.n, Some(code))),
            (Wish::Delete, _) => None,
        };
        let is_insert = matches!(wish, Wish::Insert { .. });
        let mut claims = Vec::new();
        if let (false, Some(old)) = (is_insert, old) {
            let record = Claim::Record(old.record);
            if self.is_claimed(session, record) {
                return Outcome::Conflict;
            }
            if let Some(open) = open
                && !open.own.contains(&old.record)
                && !open.claims.contains(&record)
            {
                if self.present.get(&place) != Some(&old) {
                    return Outcome::Conflict;
                }
                claims.push(record);
            }
        }
        let is_given_up = |claims: &[Claim], record: u64| {
            let record = Claim::Record(record);
            open.is_some_and(|open| open.claims.contains(&record)) || claims.contains(&record)
        };
        let mut is_duplicate = false;
        let mut keys = Vec::new();
        if is_insert {
            let present = self.present.get(&place).map(|plant| plant.record);
            keys.push((Claim::Id(place), old.is_some(), present));
        }
        if let Some((_, Some(code))) = new
            && old.filter(|_| !is_insert).and_then(|old| old.code) != Some(code)
        {
            let present = has_code(&self.present, place.0, code);
            let is_there = has_code(sees, place.0, code).is_some();
            keys.push((Claim::Code(place.0, code), is_there, present));
        }
        for (claim, is_there, present) in keys {
            if is_there {
                is_duplicate = true;
                continue;
            }
            let came =
                session.is_some() && present.is_some_and(|record| !is_given_up(&claims, record));
            if self.is_claimed(session, claim) || came {
                return Outcome::Conflict;
            }
            claims.push(claim);
        }
        if is_duplicate {
            return Outcome::Duplicate;
        }
        self.records += 1;
        let record = match old.filter(|_| !is_insert) {
            Some(old) => old.record,
            None => self.records,
        };
        let new = new.map(|(n, code)| Plant { record, n, code });
        let change = match (old.filter(|_| !is_insert), new) {
            (Some(old), Some(new)) => Change::Update(place, old, new),
            (Some(old), None) => Change::Delete(place, old),
            (None, Some(new)) => Change::Insert(place, new),
            (None, None) => return Outcome::Done(0),
        };
        let open = session.and_then(|session| self.open[session].as_mut());
        let garden = match open {
            None => &mut self.present,
            Some(open) => {
                open.claims.extend(claims);
                open.changes.push(change);
                if is_insert {
                    open.own.insert(record);
                }
                &mut open.sees
            }
        };
        match new {
            Some(new) => garden.insert(place, new),
            None => garden.remove(&place),
        };
        Outcome::Done(1)
    }

    /// Commits a session's transaction; false where the present refuses it.
    fn commit(&mut self, session: usize) -> bool {
        let Some(open) = self.open[session].take() else {
            return false;
        };
        let mut next = self.present.clone();
        for change in open.changes {
            let done = match change {
                Change::Insert(place, plant) => {
                    self.records += 1;
                    let is_free =
                        { plant.code }.is_none_or(|code| has_code(&next, place.0, code).is_none());
                    let record = self.records;
                    is_free && next.insert(place, Plant { record, ..plant }).is_none()
                }
                Change::Update(place, old, new) => match next.get_mut(&place) {
                    Some(plant) if plant.is_alike(&old) => {
                        let record = plant.record;
                        *plant = Plant { record, ..new };
                        let code = new.code.filter(|_| new.code != old.code);
                        let same = |((of, _), plant): &(&Place, &Plant)| {
                            *of == place.0 && plant.code == code
                        };
                        code.is_none() || next.iter().filter(same).count() == 1
                    }
                    _ => false,
                },
                Change::Delete(place, old) => next
                    .remove(&place)
                    .is_some_and(|plant| plant.is_alike(&old)),
            };
            if !done {
                return false;
            }
        }
        self.present = next;
        true
    }
}

/// An engine, its store, and the model of both.
struct Bench {
    random: Random,
    env: NativeEnv,
    engine: Engine,
    device: MemoryDevice,
    model: Model,
    /// The present as it is stored.
    stored: Garden,
    numbers: [i64; SESSIONS],
    values: i64,
    cases: u64,
    commits: u64,
    conflicts: u64,
    refused: u64,
    /// The sessions whose last transaction is committed with changes, and whether that is stored.
    committed: BTreeMap<usize, bool>,
}

fn lsid(session: usize) -> Document {
    let mut bytes = vec![0; 16];
    bytes[15] = session as u8 + 1;
    let id = Binary {
        subtype: BinarySubtype::Uuid,
        bytes,
    };
    doc! { "id": id }
}

impl Bench {
    fn new(seed: u64) -> Self {
        let env = host();
        let device = MemoryDevice::new();
        let mut engine = Engine::create(&env).expect("memory can be had");
        for collection in COLLECTIONS {
            let key = doc! { "key": { "code": 1 }, "name": "code", "unique": true, "sparse": true };
            let index = doc! { "createIndexes": collection, "indexes": [key], "$db": "garden" };
            done(&mut engine, &env, &index);
        }
        commit(&mut engine, &device);
        Self {
            random: Random::new(seed),
            env,
            engine,
            device,
            model: Model::default(),
            stored: Garden::new(),
            numbers: [0; SESSIONS],
            values: 0,
            cases: 0,
            commits: 0,
            conflicts: 0,
            refused: 0,
            committed: BTreeMap::new(),
        }
    }

    /// Runs a command, and again once a page that it missed was read.
    fn run(&mut self, command: &Document) -> Result<Document, CommandError> {
        self.cases += 1;
        loop {
            match self.engine.run_command(command, &self.env) {
                Err(error) if error.missing_page.is_some() => {
                    let pager = self.engine.pager_mut();
                    let asked: Vec<_> = (1..pager.page_count()).collect();
                    let missing = error.missing_page.filter(|page| *page < pager.page_count());
                    let asked = missing.map_or(asked, |page| vec![page]);
                    let mut pages = Vec::new();
                    for number in &asked {
                        let read = block_on(self.device.read_pages(*number, 1));
                        pages.extend(read.expect("memory can be read"));
                    }
                    let header = block_on(self.device.read_header()).expect("memory can be read");
                    let known = pager.durable_sequence();
                    let fetched = Fetched { header, pages };
                    pager
                        .deliver(fetched, &asked, known)
                        .expect("the header is sound");
                }
                outcome => return outcome,
            }
        }
    }

    fn within(&self, session: usize, mut command: Document, starts: bool) -> Document {
        command.insert("lsid", lsid(session));
        command.insert("txnNumber", self.numbers[session]);
        command.insert("autocommit", false);
        if starts {
            command.insert("startTransaction", true);
        }
        command
    }

    fn end(&mut self, session: usize, name: &str) -> Result<Document, CommandError> {
        let command = self.within(session, doc! { name: 1, "$db": "admin" }, false);
        self.run(&command)
    }

    fn garden_of(reply: &Document, collection: usize) -> Vec<(Place, i64, Option<i64>)> {
        let cursor = reply.get_document("cursor").expect("a cursor");
        let batch = cursor.get_array("firstBatch").expect("a batch");
        let all = batch.iter().map(|plant| {
            let plant = plant.as_document().expect("it holds documents");
            let id = plant.get_i64("_id").expect("each has one");
            let n = plant.get_i64("n").expect("each has one");
            ((collection, id), n, plant.get_i64("code").ok())
        });
        all.collect()
    }

    /// Reads a collection, inside or outside, by one of its indexes or by none.
    fn read(&mut self, session: Option<usize>, starts: bool) {
        let collection = self.random.below(2);
        let (name, by_code) = (COLLECTIONS[collection], self.random.below(4) == 0);
        let mut find = doc! { "find": name, "$db": "garden", "sort": { "_id": 1 } };
        if by_code {
            find.insert("filter", doc! { "code": { "$gte": 0 } });
        }
        let find = match session {
            None => find,
            Some(session) => self.within(session, find, starts),
        };
        let reply = self.run(&find).unwrap_or_else(|error| panic!("{error}"));
        let found = Self::garden_of(&reply, collection);
        let open = session.and_then(|session| self.model.open[session].as_ref());
        let sees = open.map_or(&self.model.present, |open| &open.sees);
        let wanted = sees
            .iter()
            .filter(|((of, _), plant)| *of == collection && (!by_code || plant.code.is_some()));
        let wanted: Vec<_> =
            { wanted.map(|(place, plant)| (*place, plant.n, plant.code)) }.collect();
        assert_eq!(found, wanted, "{session:?} after {} cases", self.cases);
    }

    fn wish(&mut self) -> (Place, Wish) {
        let collection = self.random.below(2);
        let place = (collection, self.random.below(IDS) as i64);
        self.values += 1;
        let (n, code) = (self.values, self.random.below(CODES) as i64);
        let wish = match self.random.below(8) {
            0 | 1 => {
                let code = (self.random.below(3) == 0).then_some(code);
                Wish::Insert { n, code }
            }
            2..=4 => Wish::Content { n },
            5 => Wish::Code { code },
            _ => Wish::Delete,
        };
        (place, wish)
    }

    fn command(&mut self, (collection, id): Place, wish: Wish) -> Document {
        let name = COLLECTIONS[collection];
        let update = |update: Document| {
            doc! { "update": name, "$db": "garden", "updates": [{ "q": { "_id": id }, "u": update }] }
        };
        match wish {
            Wish::Insert { n, code } => {
                let mut plant = doc! { "_id": id, "n": n };
                plant.extend(code.map(|code| ("code".to_owned(), Bson::Int64(code))));
                doc! { "insert": name, "$db": "garden", "documents": [plant] }
            }
            Wish::Content { n } => update(doc! { "$set": { "n": n } }),
            Wish::Code { code } => update(doc! { "$set": { "code": code } }),
            Wish::Delete => {
                let many = i32::from(self.random.below(2) == 0);
                doc! { "delete": name, "$db": "garden", "deletes": [{ "q": { "_id": id }, "limit": many }] }
            }
        }
    }

    fn outcome(reply: &Result<Document, CommandError>) -> Outcome {
        let code = match reply {
            Err(error) => error.code,
            Ok(reply) => match reply.get_array("writeErrors") {
                Err(_) => return Outcome::Done(i64::from(reply.get_i32("n").expect("a count"))),
                Ok(errors) => {
                    let error = errors[0].as_document().expect("it holds documents");
                    error.get_i32("code").expect("each has one")
                }
            },
        };
        match code {
            112 => Outcome::Conflict,
            11_000 => Outcome::Duplicate,
            code => panic!("{code}: {reply:?}"),
        }
    }

    fn write(&mut self, session: Option<usize>) {
        let (place, wish) = self.wish();
        let command = self.command(place, wish);
        let command = match session {
            None => command,
            Some(session) => self.within(session, command, false),
        };
        let reply = self.run(&command);
        let expected = self.model.write(session, place, wish);
        let found = Self::outcome(&reply);
        let cases = self.cases;
        assert_eq!(found, expected, "{command} after {cases} cases: {reply:?}");
        self.conflicts += u64::from(found == Outcome::Conflict);
        if let (Some(session), true) = (session, !matches!(found, Outcome::Done(_))) {
            let is_labelled = match &reply {
                Err(error) => error.details.is_some(),
                Ok(_) => found == Outcome::Duplicate,
            };
            assert!(is_labelled, "{reply:?}");
            self.model.open[session] = None;
            self.is_over(session);
        }
    }

    /// A transaction that was refused is over.
    fn is_over(&mut self, session: usize) {
        let name = ["commitTransaction", "abortTransaction"][self.random.below(2)];
        let said = self.end(session, name).expect_err("it is over");
        assert_eq!(said.code, 251, "{said}");
    }

    fn session(&mut self) {
        let session = self.random.below(SESSIONS);
        if self.model.open[session].is_none() {
            self.numbers[session] += 1;
            self.committed.remove(&session);
            self.model.open[session] = Some(Open {
                sees: self.model.present.clone(),
                own: BTreeSet::new(),
                claims: BTreeSet::new(),
                changes: Vec::new(),
            });
            return self.read(Some(session), true);
        }
        match self.random.below(16) {
            0 => {
                self.model.open[session] = None;
                self.end(session, "abortTransaction").expect("it is open");
            }
            1 | 2 => {
                let has_changes = { self.model.open[session].as_ref() }
                    .is_some_and(|open| !open.changes.is_empty());
                let expected = self.model.commit(session);
                let reply = self.end(session, "commitTransaction");
                match &reply {
                    Ok(_) => {
                        self.commits += 1;
                        self.committed.insert(session, !has_changes);
                        self.end(session, "commitTransaction")
                            .expect("it is committed");
                    }
                    Err(error) => {
                        self.refused += 1;
                        assert_eq!(error.code, 112, "{error}");
                    }
                }
                assert_eq!(reply.is_ok(), expected, "after {} cases", self.cases);
                self.read(None, false);
            }
            3..=6 => self.read(Some(session), false),
            _ => self.write(Some(session)),
        }
    }

    fn store(&mut self) {
        commit(&mut self.engine, &self.device);
        self.stored = self.model.present.clone();
        { self.committed.values_mut() }.for_each(|is_stored| *is_stored = true);
    }

    /// Forgets all that is not stored, open transactions too.
    fn crash(&mut self) {
        self.engine = match self.random.below(2) {
            0 => open(&self.device, &self.env).expect("the store is sound"),
            _ => self.open_cold(),
        };
        self.model.present = self.stored.clone();
        self.model.open = Default::default();
        self.committed.clear();
        // The sessions' numbers go on: a new client would have sessions of its own.
    }

    /// Opens the store with no page but those that opening needs.
    fn open_cold(&self) -> Engine {
        let header = block_on(self.device.read_header()).expect("memory can be read");
        let mut pager = Pager::open(&header.expect("there is one")).expect("it is sound");
        while let Err(error) = Engine::prepare(&mut pager, &self.env) {
            let number = error.missing_page.expect("a page is missing");
            let fetched = Fetched {
                header: block_on(self.device.read_header()).expect("memory can be read"),
                pages: block_on(self.device.read_pages(number, 1)).expect("memory can be read"),
            };
            let known = pager.durable_sequence();
            pager
                .deliver(fetched, &[number], known)
                .expect("the header is sound");
        }
        Engine::open(pager, &self.env).expect("it was prepared")
    }

    /// Another tab writes to the store, and the engine moves on.
    fn move_on(&mut self) {
        self.store();
        // What is not read before cannot be had after.
        if self.engine.has_readers() {
            let find = doc! { "find": "none", "$db": "garden" };
            drop(self.run(&find));
            while let Some(number) = self.engine.pager().next_absent(1) {
                let pager = self.engine.pager_mut();
                let fetched = Fetched {
                    header: block_on(self.device.read_header()).expect("memory can be read"),
                    pages: block_on(self.device.read_pages(number, 1)).expect("memory can be read"),
                };
                let known = pager.durable_sequence();
                pager
                    .deliver(fetched, &[number], known)
                    .expect("the header is sound");
            }
        }
        let mut other = open(&self.device, &self.env).expect("the store is sound");
        let open = std::mem::take(&mut self.model.open);
        for _ in 0..1 + self.random.below(3) {
            let (place, wish) = self.wish();
            let command = self.command(place, wish);
            let reply = other.run_command(&command, &self.env);
            assert_eq!(Self::outcome(&reply), self.model.write(None, place, wish));
        }
        self.model.open = open;
        commit(&mut other, &self.device);
        let known = self.engine.pager().sequence();
        let header = block_on(self.device.read_header()).expect("memory can be read");
        let header = header.expect("the store has a header");
        let mut changed = block_on(self.device.read_pages(1, 10_000)).expect("memory can be read");
        changed.retain(|(_, buffer)| page::sequence_of(buffer) > known);
        { self.engine.refresh(&header, changed, &self.env) }.expect("nothing here is unsaved");
        self.stored = self.model.present.clone();
    }

    /// What is not stored is lost, as where another tab stored something else first.
    fn lose(&mut self) {
        let loaded = block_on(load(&self.device)).expect("memory can be read");
        let pager = loaded.expect("there is a header").pager;
        let is_lost = self.engine.has_changes() || self.engine.pager().unconfirmed_count() > 0;
        { self.engine.reload(pager, &self.env) }.expect("the store is sound");
        if is_lost {
            for session in 0..SESSIONS {
                if self.model.open[session].take().is_some() {
                    self.is_over(session);
                }
            }
            // A commit that is asked for again is not said to be done where it is lost.
            for (session, is_stored) in std::mem::take(&mut self.committed) {
                let again = self.end(session, "commitTransaction");
                assert_eq!(again.is_ok(), is_stored, "{again:?}");
            }
        }
        self.model.present = self.stored.clone();
        self.read(None, false);
    }

    fn step(&mut self) {
        match self.random.below(400) {
            0..=279 => self.session(),
            280..=369 => self.write(None),
            370..=389 => self.read(None, false),
            390..=394 => self.store(),
            395..=397 => self.move_on(),
            398 if self.random.below(3) == 0 => self.lose(),
            398 => {
                for collection in COLLECTIONS {
                    let reply = self.run(&doc! { "validate": collection, "$db": "garden" });
                    let reply = reply.unwrap_or_else(|error| panic!("{error}"));
                    assert!(reply.get_bool("valid").is_ok_and(|valid| valid), "{reply}");
                }
            }
            _ if self.random.below(3) == 0 => self.crash(),
            _ => {}
        }
    }
}

#[test]
fn transactions_agree_with_the_model() {
    let seed = environment("QUIRE_SEED", 0x7A_5ED);
    let cases = environment("QUIRE_CASES", 100_000);
    let mut bench = Bench::new(seed);
    while bench.cases < cases {
        bench.step();
    }
    let Bench {
        commits,
        conflicts,
        refused,
        ..
    } = bench;
    println!("{commits} commits, {conflicts} conflicts, {refused} commits refused");
    assert!(commits * 100 > cases && conflicts * 100 > cases && refused > 0);
}

/// The documents of two collections, as one text.
fn all_of(engine: &mut Engine, env: &NativeEnv) -> String {
    let mut all = String::new();
    for collection in COLLECTIONS {
        let find = doc! { "find": collection, "$db": "garden", "sort": { "_id": 1 } };
        let reply = done(engine, env, &find);
        let cursor = reply.get_document("cursor").expect("a cursor");
        all += &cursor
            .get_array("firstBatch")
            .expect("a batch")
            .iter()
            .map(|one| format!("{one} "))
            .collect::<String>();
    }
    all
}

#[test]
fn a_cut_inside_a_commit_leaves_all_of_it_or_nothing() {
    let mut bench = Bench::new(20_260);
    let (mut cuts, mut whole) = (0, 0);
    for round in 0..12 {
        let before = all_of(&mut bench.engine, &bench.env);
        bench.numbers[0] += 1;
        for part in 0..4_i64 {
            let id = round * 4 + part;
            let text = "a long word ".repeat(1 + bench.random.below(900));
            let plant = doc! { "_id": id, "n": id, "text": text };
            let collection = COLLECTIONS[part as usize % 2];
            let insert = doc! { "insert": collection, "$db": "garden", "documents": [plant] };
            let insert = bench.within(0, insert, part == 0);
            bench.run(&insert).expect("nothing refuses it");
            let set = doc! { "q": {}, "u": { "$inc": { "n": 1 } }, "multi": true };
            let update = doc! { "update": collection, "$db": "garden", "updates": [set] };
            let update = bench.within(0, update, false);
            bench.run(&update).expect("nothing refuses it");
        }
        assert_eq!(all_of(&mut bench.engine, &bench.env), before);
        bench
            .end(0, "commitTransaction")
            .expect("nothing refuses it");
        let after = all_of(&mut bench.engine, &bench.env);
        let batch = { bench.engine.take_batch() }.expect("the pages are sound");
        let batch = batch.expect("there are changes");
        let points = fault::points(&batch);
        for point in 0..points {
            let device = FaultDevice::over(bench.device.copy());
            let fault = [Fault::Cut, Fault::Torn][point as usize % 2];
            device.plan(point, fault);
            let cut = block_on(device.write(&batch, Durability::Strict));
            assert!(cut.is_err(), "point {point}");
            let mut engine = open(device.stored(), &bench.env).expect("the store is sound");
            let found = all_of(&mut engine, &bench.env);
            let is_whole = found == after;
            assert!(is_whole || found == before, "round {round}, point {point}");
            cuts += 1;
            whole += u64::from(is_whole);
        }
        block_on(bench.device.write(&batch, Durability::Strict)).expect("memory can be written");
        bench.engine.confirm(batch.sequence);
    }
    println!("{cuts} cuts, {whole} behind the commit");
    assert!(whole > 0 && whole < cuts);
}

#[test]
fn pages_that_were_never_read_and_are_overwritten_end_the_transaction() {
    let mut bench = Bench::new(7);
    let plants: Vec<Document> = (0..400_i64)
        .map(|id| doc! { "_id": id, "n": id, "text": "a long word ".repeat(40) })
        .collect();
    let insert = doc! { "insert": "herbs", "$db": "garden", "documents": plants };
    bench.run(&insert).expect("nothing refuses it");
    commit(&mut bench.engine, &bench.device);
    bench.engine = bench.open_cold();
    bench.numbers[0] = 1;
    let one = |id: i64| doc! { "find": "herbs", "$db": "garden", "filter": { "_id": id } };
    let first = bench.within(0, one(0), true);
    bench.run(&first).expect("nothing refuses it");
    assert!(bench.engine.has_readers());
    let mut other = open(&bench.device, &bench.env).expect("the store is sound");
    for _ in 0..3 {
        let set = doc! { "q": {}, "u": { "$inc": { "n": 1 } }, "multi": true };
        let update = doc! { "update": "herbs", "$db": "garden", "updates": [set] };
        done(&mut other, &bench.env, &update);
        commit(&mut other, &bench.device);
    }
    let known = bench.engine.pager().sequence();
    let header = block_on(bench.device.read_header()).expect("memory can be read");
    let mut changed = block_on(bench.device.read_pages(1, 10_000)).expect("memory can be read");
    changed.retain(|(_, buffer)| page::sequence_of(buffer) > known);
    {
        bench
            .engine
            .refresh(&header.expect("there is one"), changed, &bench.env)
    }
    .expect("nothing here is unsaved");
    // What was read stays as it was; what was not cannot be had.
    let again = bench.within(0, one(0), false);
    let reply = bench.run(&again).expect("its pages were read");
    assert!(reply.to_string().contains(r#""n": 0"#), "{reply}");
    let later = bench.within(0, one(399), false);
    let said = bench.run(&later).expect_err("its pages are gone");
    assert_eq!(said.code_name(), "SnapshotUnavailable", "{said}");
    bench.is_over(0);
}
