//! The figures of an observed run, and forks of the data: held against explain and the engine's own account, over pages
//! that come on demand, and where a fork ends half way.
//!
//! Invariant: observing runs a command once and changes nothing else; a fork changes nothing at all.

use crate::support::stored::{commit, done, garden, holdings, host, insert, number, without_times};
use bson::{Bson, Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::touched::touch;
use quire::storage::{Fetched, MemoryDevice, PageDevice, PageNumber, Pager};

/// Where `Engine::account` has each figure that a reply names.
const FIGURES: [&str; 7] = [
    "keysExamined",
    "documentsExamined",
    "pagesRead",
    "pagesWritten",
    "documentsInserted",
    "documentsUpdated",
    "documentsDeleted",
];

fn orchard(env: &NativeEnv) -> Engine {
    let mut engine = Engine::create(env).expect("memory can be had");
    done(&mut engine, env, &insert("herbs", 0, 3000));
    let indexes = doc! {"createIndexes":"herbs","$db":"garden","indexes":[
    {"key":{"name":1},"name":"name_1","unique":true},{"key":{"bed.row":1},"name":"row_1"},
    {"key":{"tags":1,"bed.row":-1},"name":"tags_row"},{"key":{"bed":"hashed"},"name":"bed_hashed"},
    {"key":{"$**":1},"name":"all","wildcardProjection":{"bed":1}},
    {"key":{"name":1},"name":"wild","partialFilterExpression":{"tags":"wild"}}]};
    done(&mut engine, env, &indexes);
    engine
}

/// Reads of every kind of plan, each of which ends with its first batch.
fn reads() -> Vec<Document> {
    let find = |filter: Document, more: Document| {
        let mut find = doc! { "find": "herbs", "filter": filter, "batchSize": 5000 };
        find.extend(more);
        find
    };
    let rows = |rows: Document| doc! { "bed.row": rows };
    let aggregate = |stages: Vec<Document>| doc! { "aggregate": "herbs", "pipeline": stages, "cursor": { "batchSize": 5000 } };
    let mut all = vec![
        find(doc! {}, doc! {}),
        find(doc! {}, doc! { "limit": 5 }),
        find(doc! {}, doc! { "skip": 10, "limit": 5 }),
        find(doc! { "_id": 7 }, doc! {}),
        find(doc! { "_id": -7 }, doc! {}),
        find(doc! { "_id": { "$in": [1, 5, 900, 5000] } }, doc! {}),
        find(doc! { "_id": { "$gt": 2900 } }, doc! {}),
        find(doc! { "name": "herb 00100" }, doc! {}),
        find(doc! { "name": { "$gte": "herb 02000" } }, doc! {}),
        find(doc! { "name": { "$regex": "^herb 020" } }, doc! {}),
        find(doc! { "tags": "wild" }, doc! {}),
        find(doc! { "tags": "wild", "bed.row": 4 }, doc! {}),
        find(doc! { "bed": { "row": 3 } }, doc! {}),
        find(
            doc! { "bed.row": { "$in": [3, 4] } },
            doc! { "sort": { "bed.row": 1 } },
        ),
        find(rows(doc! { "$lt": 2 }), doc! { "sort": { "name": 1 } }),
        find(
            rows(doc! { "$lt": 2 }),
            doc! { "sort": { "name": -1 }, "limit": 3 },
        ),
        find(
            rows(doc! { "$lt": 2 }),
            doc! { "projection": { "bed.row": 1, "_id": 0 } },
        ),
        find(
            doc! { "$or": [{ "_id": 4 }, { "name": "herb 00009" }] },
            doc! {},
        ),
        find(
            doc! { "$or": [{ "bed.row": 1 }, { "tags": "wild" }] },
            doc! {},
        ),
        find(doc! { "nothing": 1 }, doc! {}),
        find(
            doc! { "bed.row": 5, "nothing": { "$exists": false } },
            doc! {},
        ),
        find(doc! { "bed.row": 5 }, doc! { "hint": { "$natural": -1 } }),
        find(doc! { "bed.row": 5 }, doc! { "hint": "name_1" }),
        find(doc! { "bed.row": 5 }, doc! { "returnKey": true }),
        find(doc! { "bed.row": 5 }, doc! { "showRecordId": true }),
        find(doc! { "$and": [{ "_id": 1 }, { "_id": 2 }] }, doc! {}),
        doc! { "count": "herbs", "query": {} },
        doc! { "count": "herbs", "query": { "bed.row": 3 } },
        doc! { "count": "herbs", "query": { "tags": "tame", "_id": { "$gt": 20 } } },
        doc! { "count": "herbs", "query": { "nothing": 1 } },
        doc! { "distinct": "herbs", "key": "bed.row" },
        doc! { "distinct": "herbs", "key": "tags", "query": { "bed.row": 3 } },
        doc! { "distinct": "herbs", "key": "nothing" },
    ];
    all.extend([
        aggregate(vec![]),
        aggregate(vec![doc! { "$match": { "bed.row": 9 } }]),
        aggregate(vec![
            doc! { "$group": { "_id": "$bed.row", "n": { "$sum": 1 } } },
        ]),
        aggregate(vec![
            doc! { "$match": { "bed.row": { "$lt": 3 } } },
            doc! { "$unwind": "$tags" },
            doc! { "$sortByCount": "$tags" },
        ]),
        aggregate(vec![doc! { "$sort": { "name": 1 } }, doc! { "$limit": 4 }]),
        aggregate(vec![doc! { "$count": "n" }]),
        aggregate(vec![
            doc! { "$match": { "bed.row": 2 } },
            doc! { "$facet": { "a": [{ "$count": "n" }], "b": [{ "$limit": 2 }] } },
        ]),
        doc! { "find": "nowhere" },
    ]);
    for command in &mut all {
        command.insert("$db", "garden");
    }
    all
}

/// The execution statistics of an explained command: its own, or those of a pipeline's read.
fn statistics(explain: &Document) -> &Document {
    let explain = match explain.get_array("stages") {
        Ok(stages) => { stages.first() }
            .and_then(Bson::as_document)
            .and_then(|stage| stage.get_document("$cursor").ok())
            .expect("a pipeline begins with its read"),
        Err(_) => explain,
    };
    explain.get_document("executionStats").expect("it was run")
}

fn observed(reply: &Document) -> &Document {
    reply.get_document("observed").expect("it was observed")
}

#[test]
fn forty_reads_cost_what_explain_and_the_account_say() {
    let env = host();
    let mut engine = orchard(&env);
    let commands = reads();
    assert!(commands.len() >= 40, "{}", commands.len());
    for command in &commands {
        let explain =
            doc! { "explain": command.clone(), "verbosity": "executionStats", "$db": "garden" };
        let explained = done(&mut engine, &env, &explain);
        let explained = statistics(&explained);
        let before = engine.account();
        let observe = doc! { "quireObserve": 1, "command": command.clone(), "$db": "garden" };
        let reply = done(&mut engine, &env, &observe);
        let observed = observed(&reply);
        for (position, name) in FIGURES.iter().enumerate() {
            let added = engine.account()[position] - before[position];
            assert_eq!(number(observed, name), added, "{name} of {command}");
        }
        let run = statistics(observed.get_document("explain").expect("it has a plan"));
        for (name, total) in [
            ("keysExamined", "totalKeysExamined"),
            ("documentsExamined", "totalDocsExamined"),
        ] {
            assert_eq!(
                number(observed, name),
                number(run, total),
                "{total} of {command}"
            );
            assert_eq!(
                number(explained, total),
                number(run, total),
                "{total} of {command}"
            );
        }
        assert_eq!(
            number(explained, "nReturned"),
            number(run, "nReturned"),
            "{command}"
        );
        let pages = |statistics: &Document| {
            number(
                statistics.get_document("quire").expect("its pages"),
                "pagesRead",
            )
        };
        assert_eq!(pages(explained), pages(run), "pages of {command}");
        let listed = observed.get_array("read").expect("its pages").len();
        assert_eq!(listed as i64, number(observed, "pagesRead"), "{command}");
        let plain = done(&mut engine, &env, command);
        let answer = reply.get_document("reply").expect("the command's reply");
        let answer = without_times(answer.clone());
        assert_eq!(answer, without_times(plain), "{command}");
    }
}

#[test]
fn commands_that_nobody_observes_are_accounted_alike() {
    let env = host();
    let mut engine = orchard(&env);
    for command in reads() {
        let observe = doc! { "quireObserve": 1, "command": command.clone(), "$db": "garden" };
        let reply = done(&mut engine, &env, &observe);
        // The first run may try several plans, the ones after know the best.
        done(&mut engine, &env, &command);
        done(&mut engine, &env, &command);
        let before = engine.account();
        done(&mut engine, &env, &command);
        let (observed, after) = (observed(&reply), engine.account());
        let explain = observed.get_document("explain").expect("it has a plan");
        for (position, name) in FIGURES.iter().enumerate().take(2) {
            let (added, told) = (after[position] - before[position], number(observed, name));
            // Looking whether a cached plan holds up reads with it, and a range's end is a key more.
            let is_near = added <= told * 2 + 1 && told <= added + 2;
            assert!(is_near, "{name} of {command}: {added}, {told}\n{explain}");
        }
    }
}

#[test]
fn what_is_written_is_told() {
    let env = host();
    let mut engine = orchard(&env);
    let command = doc! { "insert": "herbs", "documents": [{ "_id": -1 }, { "_id": 5 }, { "_id": -2 }], "ordered": false, "$db": "garden" };
    let update = |query: Document, multi: bool| doc! { "update": "herbs", "updates": [{ "q": query, "u": { "$set": { "seen": true } }, "multi": multi }], "$db": "garden" };
    let delete = |query: Document, limit: i32| doc! { "delete": "herbs", "deletes": [{ "q": query, "limit": limit }], "$db": "garden" };
    for (command, written, examined) in [
        (command, [1, 0, 0], 0),
        (insert("herbs", 3000, 3100), [100, 0, 0], 0),
        (update(doc! { "_id": 7 }, false), [0, 1, 0], 1),
        (update(doc! { "bed.row": 7 }, true), [0, 181, 0], 182),
        (update(doc! { "bed.row": 7 }, true), [0, 0, 0], 182),
        (delete(doc! { "_id": 8 }, 1), [0, 0, 1], 1),
        (delete(doc! { "bed.row": 9 }, 0), [0, 0, 182], 182),
        (delete(doc! {}, 0), [0, 0, 2918], 2918),
    ] {
        let observe = doc! { "quireObserve": 1, "command": command.clone(), "$db": "garden" };
        let before = engine.account();
        let reply = done(&mut engine, &env, &observe);
        let (observed, after) = (observed(&reply), engine.account());
        let told = [4, 5, 6].map(|position| number(observed, FIGURES[position]));
        assert_eq!(
            (told, number(observed, "documentsExamined")),
            (written, examined),
            "{command}"
        );
        for (position, name) in FIGURES.iter().enumerate() {
            assert_eq!(
                after[position] - before[position],
                number(observed, name),
                "{name}"
            );
        }
        let pages = observed.get_array("written").expect("its pages").len();
        assert_eq!(pages as i64, number(observed, "pagesWritten"));
        assert_eq!(pages > 0, written != [0, 0, 0], "{command}");
    }
}

/// Stored pages that come one by one.
struct OnDemand<'d> {
    device: &'d MemoryDevice,
    env: &'d NativeEnv,
    engine: Engine,
    fetched: usize,
}

impl<'d> OnDemand<'d> {
    fn open(device: &'d MemoryDevice, env: &'d NativeEnv) -> Self {
        let header = block_on(device.read_header()).expect("memory can be read");
        let mut pager = Pager::open(&header.expect("the store has a header")).expect("it is sound");
        while let Err(error) = Engine::prepare(&mut pager, env) {
            deliver(
                device,
                &mut pager,
                error.missing_page.expect("a page is missing"),
            );
        }
        let engine = Engine::open(pager, env).expect("it was prepared");
        Self {
            device,
            env,
            engine,
            fetched: 0,
        }
    }

    fn run(&mut self, command: &Document) -> Result<Document, String> {
        loop {
            match self.engine.run_command(command, self.env) {
                Ok(reply) => return Ok(reply),
                Err(error) => match error.missing_page {
                    Some(page) => {
                        self.fetched += 1;
                        deliver(self.device, self.engine.pager_mut(), page);
                    }
                    None => return Err(error.to_string()),
                },
            }
        }
    }
}

fn deliver(device: &MemoryDevice, pager: &mut Pager, number: PageNumber) {
    let known = pager.durable_sequence();
    let fetched = Fetched {
        header: block_on(device.read_header()).expect("memory can be read"),
        pages: block_on(device.read_pages(number, 1)).expect("memory can be read"),
    };
    pager
        .deliver(fetched, &[number], known)
        .expect("the header is sound");
}

/// A fork that makes an index, reads by it, writes, drops, and reads by a cursor that stays open.
fn fork() -> Document {
    doc! { "quireFork": 1, "$db": "garden", "commands": [
        { "createIndexes": "herbs", "indexes": [{ "key": { "bed.row": 1, "name": 1 }, "name": "tried" }] },
        { "quireObserve": 1, "command": { "find": "herbs", "filter": { "bed.row": 3 }, "hint": "tried", "batchSize": 2 } },
        { "delete": "herbs", "deletes": [{ "q": { "_id": { "$lt": 200 } }, "limit": 0 }] },
        { "find": "herbs", "batchSize": 1 },
        { "insert": "herbs", "documents": [{ "_id": 1, "name": "again" }] },
        { "drop": "trees" },
        { "insert": "trees", "documents": [{ "_id": "other" }] },
        { "count": "herbs", "query": {} },
    ] }
}

#[test]
fn a_fork_and_an_observed_command_are_repeated_until_their_pages_are_there() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut whole = garden(&env, &device);
    done(
        &mut whole,
        &env,
        &doc! { "quireMoment": 1, "$db": "garden" },
    );
    commit(&mut whole, &device);
    let before = holdings(&mut whole, &env);
    let mut paged = OnDemand::open(&device, &env);
    let reply = paged.run(&fork()).expect("the fork runs");
    assert!(paged.fetched > 3, "{} pages were fetched", paged.fetched);
    let replies = reply.get_array("replies").expect("its replies");
    assert_eq!(replies.len(), 8, "{reply}");
    let last = replies.last().and_then(Bson::as_document).expect("a reply");
    assert_eq!(number(last, "n"), 51, "{reply}");
    assert!(!paged.engine.has_changes());
    let mut paged = OnDemand::open(&device, &env);
    let command = doc! { "update": "herbs", "updates": [{ "q": { "bed.row": 3 }, "u": { "$inc": { "n": 1 } }, "multi": true }] };
    let observe = doc! { "quireObserve": 1, "command": command, "$db": "garden" };
    let told = paged.run(&observe).expect("it is told");
    assert!(paged.fetched > 3, "{} pages were fetched", paged.fetched);
    assert_eq!(
        number(observed(&told), "documentsUpdated"),
        paged.engine.account()[5]
    );
    assert_eq!(holdings(&mut whole, &env), before);
}

#[test]
fn a_fork_that_ends_half_way_leaves_nothing() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut engine = garden(&env, &device);
    // Something waits to be stored, and a cursor lies open.
    done(&mut engine, &env, &insert("herbs", 400, 450));
    let open = done(
        &mut engine,
        &env,
        &doc! { "find": "herbs", "batchSize": 2, "$db": "garden" },
    );
    let id = open
        .get_document("cursor")
        .expect("a cursor")
        .get_i64("id")
        .expect("it is open");
    let (before, account) = (holdings(&mut engine, &env), engine.account());
    let mut failing = fork();
    let commands = failing.get_array_mut("commands").expect("they are there");
    commands.insert(
        3,
        Bson::Document(doc! { "createIndexes": "herbs", "indexes": [{ "key": { "bed.row": 1 }, "name": "row", "unique": true }] }),
    );
    let reply = done(&mut engine, &env, &failing);
    let replies = reply.get_array("replies").expect("its replies");
    assert_eq!(replies.len(), 4, "{reply}");
    let last = replies.last().and_then(Bson::as_document).expect("a reply");
    assert_eq!(number(last, "code"), 11000, "{reply}");
    let mut slow = fork();
    slow.insert("maxTimeMS", 1);
    let nested = doc! { "$reduce": { "input": { "$range": [0, 100_000] }, "initialValue": 0, "in": { "$add": ["$$value", "$$this"] } } };
    slow.get_array_mut("commands").expect("they are there").push(Bson::Document(
        doc! { "aggregate": "herbs", "pipeline": [{ "$set": { "n": nested } }, { "$group": { "_id": "$n" } }], "cursor": {} },
    ));
    let ended = engine
        .run_command(&slow, &env)
        .expect_err("its time is over");
    assert_eq!(ended.code, 50, "{ended}");
    // An error of the fork itself is no reply of its commands.
    done(&mut engine, &env, &fork());
    assert_eq!(engine.account()[2..], account[2..]);
    assert_eq!(holdings(&mut engine, &env), before);
    let more = doc! { "getMore": id, "collection": "herbs", "batchSize": 500, "$db": "garden" };
    let more = done(&mut engine, &env, &more);
    let batch = more
        .get_document("cursor")
        .expect("a cursor")
        .get_array("nextBatch")
        .expect("a batch");
    assert_eq!(batch.len(), 298);
    commit(&mut engine, &device);
    let mut stored = crate::support::stored::open(&device, &env).expect("the store is sound");
    assert_eq!(holdings(&mut stored, &env), before);
    let sound = done(
        &mut stored,
        &env,
        &doc! { "validate": "herbs", "full": true, "$db": "garden" },
    );
    assert_eq!(sound.get_bool("valid").ok(), Some(true), "{sound}");
}

/// Pages by number, of those that a watched run touched in one of the ways of `touch`.
fn touching(touched: &[u32], bit: u8) -> Vec<i64> {
    { touched.iter() }
        .filter(|mark| **mark & u32::from(bit) != 0)
        .map(|mark| i64::from(mark >> 2))
        .collect()
}

fn listed(observed: &Document, name: &str) -> Vec<i64> {
    let pages = observed.get_array(name).expect("its pages");
    pages
        .iter()
        .filter_map(|page| page.as_i32())
        .map(i64::from)
        .collect()
}

#[test]
fn the_pages_of_a_run_are_those_of_its_commands() {
    let env = host();
    let mut engine = orchard(&env);
    let run = engine.pager().take_touched(true);
    assert!(run.is_empty(), "nobody watched");
    let (mut read, mut written) = (
        std::collections::BTreeSet::new(),
        std::collections::BTreeSet::new(),
    );
    let update = doc! { "update": "herbs", "updates": [{ "q": { "bed.row": 3 }, "u": { "$inc": { "n": 1 } }, "multi": true }], "$db": "garden" };
    let moment = || doc! { "quireMoment": 1, "$db": "garden" };
    let commands = { reads().into_iter() }.chain([
        update.clone(),
        insert("herbs", 3000, 3400),
        moment(),
        update.clone(),
        insert("herbs", 3400, 3401),
    ]);
    for command in commands {
        if command.contains_key("quireMoment") {
            // The page keeps a moment between two commands of its reader.
            done(&mut engine, &env, &command);
            continue;
        }
        let observe = doc! { "quireObserve": 1, "command": command, "$db": "garden" };
        let reply = done(&mut engine, &env, &observe);
        read.extend(listed(observed(&reply), "read"));
        written.extend(listed(observed(&reply), "written"));
    }
    // Documents that are put in together are put in one by one where one of them is refused: the first try is taken
    // back, and its pages are no part of it.
    done(&mut engine, &env, &moment());
    let mut some = insert("herbs", 3500, 3600);
    some.get_array_mut("documents")
        .expect("they are there")
        .insert(50, Bson::Document(doc! { "_id": 1 }));
    some.insert("ordered", false);
    let observe = doc! { "quireObserve": 1, "command": some, "$db": "garden" };
    let reply = done(&mut engine, &env, &observe);
    let pages = listed(observed(&reply), "written");
    assert_eq!(number(observed(&reply), "pagesWritten"), pages.len() as i64);
    read.extend(listed(observed(&reply), "read"));
    written.extend(pages);
    // Neither a fork, nor a command that is taken back, changes a page; and the second one reads.
    done(&mut engine, &env, &fork());
    let taken_back = doc! { "createIndexes": "herbs", "indexes": [{ "key": { "bed.row": 1 }, "name": "one", "unique": true }], "$db": "garden" };
    let refused = engine.run_command(&taken_back, &env);
    assert_eq!(refused.expect_err("it is not unique").code, 11000);
    let run = engine.pager().take_touched(false);
    assert_eq!(touching(&run, touch::WRITTEN), Vec::from_iter(written));
    let read_of_run = touching(&run, touch::READ);
    assert!(read.iter().all(|page| read_of_run.contains(page)));
    // A run of one command looks at exactly the pages that it is told to have read.
    for command in [update, reads().swap_remove(8)] {
        let observe = doc! { "quireObserve": 1, "command": command, "$db": "garden" };
        engine.pager().take_touched(true);
        let reply = done(&mut engine, &env, &observe);
        let run = engine.pager().take_touched(false);
        assert_eq!(
            touching(&run, touch::READ),
            listed(observed(&reply), "read")
        );
        assert_eq!(
            touching(&run, touch::WRITTEN),
            listed(observed(&reply), "written")
        );
        done(&mut engine, &env, &observe);
        assert!(
            engine.pager().take_touched(false).is_empty(),
            "nobody watches"
        );
    }
}
