//! A heap that ends in the middle of a command: each command is run again and again, and each time the heap is at its
//! cap from another allocation on. The command is done wholly, or refused with `ExceededMemoryLimit` and undone wholly;
//! every index still fits its documents, and the next command is answered as ever. And a heap of so many bytes, which
//! forgotten cursors hold.
#![cfg(not(target_arch = "wasm32"))]

use quire::bson::extended_json::{Format, parse_document, to_string};
use quire::bson::{Document, DocumentBuilder, ValueRef};
use quire::engine::Engine;
use quire::env::heap::{Heap, Need};
use quire::env::native::NativeEnv;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// 2026-01-01.
const NOW: i64 = 1_767_225_600_000;

thread_local! {
    /// How many allocations the heap still has room for.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// Bytes in use.
    static USED: Cell<usize> = const { Cell::new(0) };
    /// How many bytes may be in use.
    static MOST: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts, and hands everything on to the system's allocator.
struct Counting;

fn count(given: usize, taken: usize) {
    // A thread that ends has no counts any more.
    if given > 0 {
        let _ = LEFT.try_with(|left| left.set(left.get().saturating_sub(1)));
    }
    let _ = USED.try_with(|used| used.set(used.get().wrapping_add(given).wrapping_sub(taken)));
}

// SAFETY: every call is handed on as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's own promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller's own promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A heap whose cap is a number of allocations, or of bytes.
struct Ending;

impl Heap for Ending {
    fn growth(&self) -> usize {
        USED.get() >> 20 << 1 | usize::from(LEFT.get() == 0)
    }

    fn has_room(&self, _: Need) -> bool {
        LEFT.get() > 0 && USED.get() < MOST.get()
    }
}

/// A deployment of two collections, with its clock.
struct Shop {
    engine: Engine,
    env: NativeEnv,
}

impl Shop {
    fn new() -> Self {
        let env = NativeEnv::fixed(NOW, 7);
        let mut engine = Engine::create(&env).expect("an empty deployment opens");
        engine.set_heap(&Ending);
        let mut shop = Self { engine, env };
        shop.ok("{'create': 'log', 'capped': true, 'size': 20000, 'max': 8}");
        shop.ok(
            "{'createIndexes': 'teas', 'indexes': [{'key': {'name': 1}, 'name': 'name', 'unique': true}, \
             {'key': {'tags': 1, 'price': -1}, 'name': 'tags'}, {'key': {'$**': 1}, 'name': 'all'}]}",
        );
        shop.ok("{'createIndexes': 'carts', 'indexes': [{'key': {'at': 1}, 'name': 'at', 'expireAfterSeconds': 60}]}");
        let teas: Vec<String> = (0..40)
            .map(|n| {
                let long = "x".repeat(if n % 13 == 0 { 40_000 } else { 30 });
                format!("{{'_id': {n}, 'name': 'tea {n}', 'price': {}, 'tags': ['t{}', 'u{}'], 'note': '{long}'}}", n % 7, n % 5, n % 3)
            })
            .collect();
        shop.ok(&format!(
            "{{'insert': 'teas', 'documents': [{}]}}",
            teas.join(", ")
        ));
        let carts: Vec<String> = (0..40)
            .map(|n| {
                format!(
                    "{{'_id': {n}, 'tea': {}, 'at': {{'$date': {{'$numberLong': '{}'}}}}}}",
                    n % 9,
                    NOW + n * 1000
                )
            })
            .collect();
        shop.ok(&format!(
            "{{'insert': 'carts', 'documents': [{}]}}",
            carts.join(", ")
        ));
        shop.ok("{'insert': 'log', 'documents': [{'n': 1}, {'n': 2}, {'n': 3}]}");
        shop
    }

    /// Runs a command whose heap has room for so many allocations; gives the reply, and how many were left.
    fn run(&mut self, command: &str, room: u64) -> (Vec<u8>, u64) {
        let parsed = parse_document(&command.replace('\'', "\"")).expect("the test's own text");
        let mut whole = DocumentBuilder::new();
        whole.append_all(parsed.as_document());
        // The only command here that is of the database admin alone.
        let is_admins = command.starts_with("{'renameCollection'");
        whole.append("$db", if is_admins { "admin" } else { "shop" });
        let bytes = whole.finish();
        LEFT.set(room);
        let outcome = self.engine.run(bytes.as_bytes(), &self.env);
        let left = LEFT.replace(u64::MAX);
        (outcome.reply, left)
    }

    fn ok(&mut self, command: &str) -> String {
        let (reply, _) = self.run(command, u64::MAX);
        let reply = Document::from_valid_bytes(&reply);
        assert_eq!(
            reply.get("ok").as_exact_i64(),
            Some(1),
            "{command}: {}",
            text(reply)
        );
        text(reply)
    }

    /// All that is stored: collections, indexes, documents.
    fn contents(&mut self) -> String {
        let listed = self.ok("{'listCollections': 1}");
        let mut contents = String::new();
        for name in ["teas", "carts", "log", "copies", "sold"] {
            if !listed.contains(&format!("\"name\":\"{name}\"")) {
                continue;
            }
            contents.push_str(name);
            contents.push_str(&self.ok(&format!("{{'listIndexes': '{name}'}}")));
            contents.push_str(&self.ok(&format!(
                "{{'find': '{name}', 'batchSize': 1000, 'sort': {{'_id': 1}}}}"
            )));
            let valid = self.ok(&format!("{{'validate': '{name}', 'full': true}}"));
            assert!(valid.contains("\"valid\":true"), "{valid}");
        }
        contents
    }
}

fn text(document: Document<'_>) -> String {
    to_string(ValueRef::Document(document), Format::Relaxed)
}

/// The commands, and how far the clock is moved before each.
const COMMANDS: &[(&str, i64)] = &[
    (
        "{'insert': 'teas', 'documents': [{'_id': 100, 'name': 'new', 'tags': [1, 2]}, {'_id': 101, 'name': 'newer', 'note': 'LONG'}]}",
        0,
    ),
    (
        "{'insert': 'sold', 'documents': [{'_id': 1}, {'_id': 2}], 'ordered': false}",
        0,
    ),
    (
        "{'insert': 'log', 'documents': [{'_id': 5}, {'_id': 6}, {'_id': 7}, {'_id': 8}, {'_id': 9}, {'_id': 10}, {'_id': 11}]}",
        0,
    ),
    (
        "{'update': 'teas', 'updates': [{'q': {'price': {'$lt': 4}}, 'u': {'$inc': {'price': 10}, '$push': {'tags': 'new'}}, 'multi': true}]}",
        0,
    ),
    (
        "{'update': 'teas', 'updates': [{'q': {'_id': 200}, 'u': [{'$set': {'note': 'LONG', 'name': 'upserted'}}], 'upsert': true}]}",
        0,
    ),
    (
        "{'findAndModify': 'teas', 'query': {'_id': 3}, 'update': {'$set': {'note': 'LONG'}}, 'new': true}",
        0,
    ),
    (
        "{'findAndModify': 'teas', 'query': {'_id': 13}, 'remove': true}",
        0,
    ),
    (
        "{'delete': 'teas', 'deletes': [{'q': {'price': {'$gt': 2}}, 'limit': 0}]}",
        0,
    ),
    ("{'delete': 'teas', 'deletes': [{'q': {}, 'limit': 0}]}", 0),
    (
        "{'createIndexes': 'teas', 'indexes': [{'key': {'note': 1, 'name': 1}, 'name': 'note'}, {'key': {'price': 'hashed'}, 'name': 'hashed'}]}",
        0,
    ),
    ("{'dropIndexes': 'teas', 'index': ['tags', 'all']}", 0),
    (
        "{'collMod': 'carts', 'index': {'name': 'at', 'expireAfterSeconds': 30}}",
        0,
    ),
    ("{'drop': 'teas'}", 0),
    ("{'dropDatabase': 1}", 0),
    ("{'create': 'sold', 'validator': {'n': {'$gt': 1}}}", 0),
    ("{'convertToCapped': 'carts', 'size': 10000}", 0),
    (
        "{'aggregate': 'teas', 'pipeline': [{'$unwind': '$tags'}, {'$group': {'_id': '$tags', 'all': {'$push': '$$ROOT'}}}, {'$sort': {'_id': 1}}], 'cursor': {}}",
        0,
    ),
    (
        "{'aggregate': 'carts', 'pipeline': [{'$lookup': {'from': 'teas', 'localField': 'tea', 'foreignField': '_id', 'as': 'tea'}}, {'$sort': {'at': -1}}, {'$out': 'copies'}], 'cursor': {}}",
        0,
    ),
    (
        "{'aggregate': 'carts', 'pipeline': [{'$set': {'sold': true}}, {'$merge': {'into': 'teas', 'on': '_id'}}], 'cursor': {}}",
        0,
    ),
    (
        "{'aggregate': 'teas', 'pipeline': [{'$facet': {'a': [{'$sortByCount': '$price'}], 'b': [{'$bucketAuto': {'groupBy': '$price', 'buckets': 3}}]}}], 'cursor': {}}",
        0,
    ),
    (
        "{'find': 'teas', 'filter': {'tags': {'$in': ['t1', 'u2']}}, 'sort': {'note': 1}, 'projection': {'note': 0}}",
        0,
    ),
    (
        "{'find': 'teas', 'filter': {'name': {'$regularExpression': {'pattern': 'a [0-9]$', 'options': 'i'}}}, 'batchSize': 2}",
        0,
    ),
    ("{'distinct': 'teas', 'key': 'tags'}", 0),
    (
        "{'count': 'teas', 'query': {'price': {'$in': [1, 2, 3]}}}",
        0,
    ),
    (
        "{'explain': {'find': 'teas', 'filter': {'price': 3, 'name': {'$gt': 'a'}}}, 'verbosity': 'allPlansExecution'}",
        0,
    ),
    ("{'validate': 'teas', 'full': true}", 0),
    (
        "{'quireObserve': 1, 'command': {'aggregate': 'teas', 'pipeline': [{'$match': {'price': {'$gt': 2}}}, {'$group': {'_id': '$price'}}], 'cursor': {}}}",
        0,
    ),
    (
        "{'quireObserve': 1, 'command': {'update': 'teas', 'updates': [{'q': {'price': 3}, 'u': {'$inc': {'price': 10}}, 'multi': true}]}}",
        0,
    ),
    (
        "{'quireFork': 1, 'commands': [{'createIndexes': 'teas', 'indexes': [{'key': {'price': 1}, 'name': 'tried'}]}, {'quireObserve': 1, 'command': {'find': 'teas', 'filter': {'price': 3}}}, {'drop': 'carts'}]}",
        0,
    ),
    // A TTL pass runs before.
    ("{'ping': 1}", 90_000),
];

/// How often a command may be run with one allocation more: all allocations of it are met.
const MOST_ROOM: u64 = 100_000;

/// Runs one command with room for 1, 2, 3 … allocations until it has room for all; gives how often it was refused.
fn run_short_of_memory(command: &str, millis: i64) -> u64 {
    let command = &command.replace("LONG", &"y".repeat(50_000));
    let mut done = Shop::new();
    done.env.advance(millis);
    done.ok(command);
    let after = done.contents();
    let before = Shop::new().contents();
    let mut shop = Shop::new();
    let mut refused = 0;
    for room in 1..MOST_ROOM {
        shop.env.set_now(NOW + millis);
        let (reply, left) = shop.run(command, room);
        let is_short = left == 0;
        let reply = Document::from_valid_bytes(&reply);
        let is_done = reply.get("ok").as_exact_i64() == Some(1);
        assert!(
            reply.get("writeErrors").is_missing(),
            "{command}: {}",
            text(reply)
        );
        if !is_done {
            assert!(is_short, "{command}: {}", text(reply));
            assert_eq!(
                reply.get("code").as_exact_i64(),
                Some(146),
                "{command}: {}",
                text(reply)
            );
            refused += 1;
        }
        // A check of everything takes long: where nothing was done it is made now and then.
        if is_done || room % 16 == 0 {
            let found = shop.contents();
            // A TTL pass that finds no memory is made later, and the command that it came before is answered.
            let is_put_off = millis > 0 && is_short && found == before;
            let expected = if is_done { &after } else { &before };
            assert!(
                is_put_off || found == *expected,
                "{command} with room for {room} allocations"
            );
        }
        if !is_short {
            return refused;
        }
        if is_done {
            shop = Shop::new();
        }
    }
    panic!("{command} allocates more than {MOST_ROOM} times");
}

#[test]
fn every_allocation_may_be_the_last() {
    for (command, millis) in COMMANDS {
        let refused = run_short_of_memory(command, *millis);
        println!(
            "{refused:6} refusals: {}",
            &command[..command.len().min(100)]
        );
    }
}

/// Commands that end the cursor of `teas`, each with what is done before the cursor is opened.
const ENDINGS: &[(&[&str], &str)] = &[
    (&[], "{'renameCollection': 'shop.teas', 'to': 'shop.sold'}"),
    (
        &[],
        "{'renameCollection': 'shop.carts', 'to': 'shop.teas', 'dropTarget': true}",
    ),
    (
        &[
            "{'insert': 'zone', 'documents': [{'_id': 1}]}",
            "{'quireMoment': 1, 'name': 'before'}",
            "{'drop': 'teas'}",
            "{'insert': 'teas', 'documents': [{'_id': 1}, {'_id': 2}, {'_id': 3}]}",
            "{'insert': 'zone', 'documents': [{'_id': 2}]}",
        ],
        "{'quireRestore': 'before'}",
    ),
    (&[], "{'drop': 'teas'}"),
    (&[], "{'dropDatabase': 1}"),
    (&[], "{'convertToCapped': 'teas', 'size': 10000}"),
    (
        &[],
        "{'aggregate': 'carts', 'pipeline': [{'$match': {'_id': 1}}, {'$out': 'teas'}], 'cursor': {}}",
    ),
];

#[test]
fn a_command_that_is_refused_ends_no_cursor() {
    for (before, command) in ENDINGS {
        let mut shop = Shop::new();
        for command in *before {
            shop.ok(command);
        }
        for room in 1.. {
            assert!(room < MOST_ROOM, "{command} allocates without end");
            let opened = shop.ok("{'find': 'teas', 'batchSize': 1, 'noCursorTimeout': true}");
            let opened = parse_document(&opened).expect("a reply");
            let cursor = opened.get("cursor").as_document().expect("a cursor");
            let id = cursor.get("id").as_exact_i64().expect("an id");
            let (reply, left) = shop.run(command, room);
            let is_done = Document::from_valid_bytes(&reply).get("ok").as_exact_i64() == Some(1);
            let more = format!(
                "{{'getMore': {{'$numberLong': '{id}'}}, 'collection': 'teas', 'batchSize': 1}}"
            );
            let (reply, _) = shop.run(&more, u64::MAX);
            let reply = Document::from_valid_bytes(&reply);
            let ended = reply.get("code").as_exact_i64();
            // 175: QueryPlanKilled, once the command was done.
            let expected = is_done.then_some(175);
            assert_eq!(
                ended,
                expected,
                "{command} with room for {room}: {}",
                text(reply)
            );
            if is_done {
                break;
            }
            assert_eq!(left, 0, "{command}");
            shop.ok(&format!(
                "{{'killCursors': 'teas', 'cursors': [{{'$numberLong': '{id}'}}]}}"
            ));
        }
    }
}

#[test]
fn cursors_that_were_used_longest_ago_make_room() {
    const EACH: usize = 10 << 20;
    let mut shop = Shop::new();
    let long = "x".repeat(EACH / 100);
    for id in 0..100 {
        shop.ok(&format!(
            "{{'insert': 'long', 'documents': [{{'_id': {id}, 's': '{long}'}}]}}"
        ));
    }
    let opened = |shop: &mut Shop, more: &str| {
        let reply = shop.ok(&format!(
            "{{'find': 'long', 'sort': {{'s': 1}}, 'batchSize': 1{more}}}"
        ));
        let reply = parse_document(&reply).expect("a reply");
        let cursor = reply.get("cursor").as_document().expect("a cursor");
        cursor.get("id").as_exact_i64().expect("an id")
    };
    let goes_on = |shop: &mut Shop, id: i64| {
        let command = format!(
            "{{'getMore': {{'$numberLong': '{id}'}}, 'collection': 'long', 'batchSize': 1}}"
        );
        let (reply, _) = shop.run(&command, u64::MAX);
        let code = Document::from_valid_bytes(&reply)
            .get("code")
            .as_exact_i64();
        assert!(matches!(code, None | Some(43)), "{code:?}");
        code.is_none()
    };
    // Each cursor holds its rows: there is room for four and a half of them.
    let before = USED.get();
    let kept = opened(&mut shop, ", 'noCursorTimeout': true");
    let held = USED.get() - before;
    assert!(held >= EACH, "{held}");
    MOST.set(before + held * 9 / 2);
    let mut cursors: Vec<i64> = (0..3).map(|_| opened(&mut shop, "")).collect();
    assert!(cursors.iter().all(|id| goes_on(&mut shop, *id)));
    // The first one is read on, so that the second is the one that was used longest ago.
    assert!(goes_on(&mut shop, cursors[0]));
    cursors.push(opened(&mut shop, ""));
    let alive: Vec<bool> = cursors.iter().map(|id| goes_on(&mut shop, *id)).collect();
    assert_eq!(alive, [true, false, true, true]);
    // A command that needs more room than one gives has several closed; one that asked for no limit stays.
    let sorted = shop.ok(
        "{'aggregate': 'long', 'pipeline': [{'$unionWith': 'long'}, {'$sort': {'s': 1}}, {'$limit': 250}, {'$count': 'n'}], \
          'cursor': {}}",
    );
    assert!(sorted.contains("\"n\":200"), "{sorted}");
    assert!(cursors.iter().all(|id| !goes_on(&mut shop, *id)));
    assert!(goes_on(&mut shop, kept));
    // Where no cursor can make room the command is refused. One that ran several times counts once.
    let queries = |shop: &mut Shop| {
        let status = parse_document(&shop.ok("{'serverStatus': 1}")).expect("a status");
        let counters = status.get("opcounters").as_document();
        counters.and_then(|counters| counters.get("query").as_exact_i64())
    };
    for _ in 0..3 {
        opened(&mut shop, "");
    }
    let before_all = queries(&mut shop).expect("a count");
    opened(&mut shop, "");
    MOST.set(before + held / 2);
    let (reply, _) = shop.run(
        "{'find': 'long', 'sort': {'s': 1}, 'batchSize': 1}",
        u64::MAX,
    );
    let code = Document::from_valid_bytes(&reply)
        .get("code")
        .as_exact_i64();
    assert_eq!(code, Some(146));
    MOST.set(usize::MAX);
    assert_eq!(queries(&mut shop), Some(before_all + 2));
    assert!(goes_on(&mut shop, kept));
}
