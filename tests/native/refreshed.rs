//! Two engines over one store, as two tabs have: cursors of one go on when the other has written.
//!
//! Invariant: a cursor gives what there was when it was opened, or the error of a cursor that was killed; never anything else.

use crate::support::stored::{commit, done, host, insert, open, run};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{Fetched, MemoryDevice, PageDevice, PageNumber, Pager, page};

/// Moves an engine on to what is stored now.
fn refresh(engine: &mut Engine, env: &NativeEnv, device: &MemoryDevice) {
    let known = engine.pager().sequence();
    let header = block_on(device.read_header()).expect("memory can be read");
    let header = header.expect("the store has a header");
    let mut changed = block_on(device.read_pages(1, 10_000)).expect("memory can be read");
    changed.retain(|(_, buffer)| page::sequence_of(buffer) > known);
    engine
        .refresh(&header, changed, env)
        .expect("nothing here is unsaved");
}

/// The documents of a reply, and the id of its cursor.
fn batch(reply: &str) -> (Vec<String>, i64) {
    let items = reply.split(r#"Batch":["#).nth(1).expect("a batch");
    let (items, rest) = items.split_once("],").expect("the batch ends");
    let names = items.split(r#""name":""#).skip(1);
    let names = names.map(|item| item.split('"').next().unwrap_or_default().to_owned());
    let id = rest.split(r#""id":"#).nth(1).expect("an id");
    let id = id.split([',', '}']).next().expect("digits");
    (names.collect(), id.parse().expect("digits"))
}

fn get_more(id: i64) -> String {
    format!(
        r#"{{"getMore":{{"$numberLong":"{id}"}},"collection":"herbs","batchSize":60,"$db":"garden"}}"#
    )
}

fn planted(env: &NativeEnv) -> (Engine, MemoryDevice) {
    let device = MemoryDevice::new();
    let mut engine = Engine::create(env).expect("memory can be had");
    done(&mut engine, env, &insert("herbs", 0, 900));
    done(
        &mut engine,
        env,
        r#"{"createIndexes":"herbs","$db":"garden","indexes":[{"key":{"name":-1},"name":"name"}]}"#,
    );
    commit(&mut engine, &device);
    (engine, device)
}

const REWRITE: &str = r#"{"update":"herbs","$db":"garden","updates":[{"q":{},"u":[{"$set":{"name":{"$concat":["new ","$name"]}}}],"multi":true}]}"#;

#[test]
fn cursors_go_on_over_what_they_were_opened_on() {
    let env = host();
    let (mut reader, device) = planted(&env);
    for find in [
        r#"{"find":"herbs","$db":"garden","batchSize":10}"#,
        r#"{"find":"herbs","$db":"garden","batchSize":10,"sort":{"name":-1}}"#,
        r#"{"find":"herbs","$db":"garden","batchSize":10,"filter":{"tags":"tame"},"sort":{"bed.row":1}}"#,
        r#"{"aggregate":"herbs","$db":"garden","cursor":{"batchSize":10},"pipeline":[{"$sort":{"_id":-1}},{"$lookup":{"from":"herbs","localField":"_id","foreignField":"_id","as":"same"}},{"$set":{"name":{"$first":"$same.name"},"same":"$$REMOVE"}}]}"#,
    ] {
        let all = find.replace(r#""batchSize":10"#, r#""batchSize":1000"#);
        let expected = batch(&done(&mut reader, &env, &all)).0;
        let (mut given, mut id) = batch(&done(&mut reader, &env, find));
        let mut writer = open(&device, &env).expect("the store is sound");
        for round in 0..20 {
            // Each round another writer changes every page, and frees and reuses those before.
            done(&mut writer, &env, REWRITE);
            done(
                &mut writer,
                &env,
                r#"{"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$gte":600}},"limit":0}]}"#,
            );
            commit(&mut writer, &device);
            done(&mut writer, &env, &insert("herbs", 600, 900 + round));
            commit(&mut writer, &device);
            refresh(&mut reader, &env, &device);
            if id != 0 {
                let (more, next) = batch(&done(&mut reader, &env, &get_more(id)));
                given.extend(more);
                id = next;
            }
            // What is asked for now is the present.
            let one = done(
                &mut reader,
                &env,
                r#"{"find":"herbs","$db":"garden","filter":{"_id":5}}"#,
            );
            assert!(one.contains(r#""name":"new "#), "{one}");
        }
        assert_eq!((given, id), (expected, 0), "{find}");
        let status = done(&mut reader, &env, r#"{"serverStatus":1,"$db":"admin"}"#);
        assert!(status.contains(r#""total":0"#), "{status}");
        done(&mut writer, &env, r#"{"drop":"herbs","$db":"garden"}"#);
        done(&mut writer, &env, &insert("herbs", 0, 900));
        commit(&mut writer, &device);
        refresh(&mut reader, &env, &device);
    }
}

#[test]
fn a_cursor_over_a_collection_that_was_dropped_elsewhere_is_killed() {
    let env = host();
    let (mut reader, device) = planted(&env);
    let (_, id) = batch(&done(
        &mut reader,
        &env,
        r#"{"find":"herbs","$db":"garden","batchSize":10}"#,
    ));
    let mut writer = open(&device, &env).expect("the store is sound");
    done(&mut writer, &env, r#"{"drop":"herbs","$db":"garden"}"#);
    done(&mut writer, &env, &insert("herbs", 0, 10));
    commit(&mut writer, &device);
    refresh(&mut reader, &env, &device);
    let said = run(&mut reader, &env, &get_more(id));
    assert!(
        said.contains("QueryPlanKilled") && said.contains("collection dropped"),
        "{said}"
    );
    let said = run(&mut reader, &env, &get_more(id));
    assert!(said.contains("CursorNotFound"), "{said}");
}

#[test]
fn pages_that_were_never_read_and_are_overwritten_kill_the_cursor() {
    let env = host();
    let (mut writer, device) = planted(&env);
    // A reader that has read no more than the first batch asked for.
    let header = block_on(device.read_header()).expect("memory can be read");
    let mut pager = Pager::open(&header.expect("the store has a header")).expect("it is sound");
    let deliver = |pager: &mut Pager, number: PageNumber| {
        let known = pager.durable_sequence();
        let fetched = Fetched {
            header: block_on(device.read_header()).expect("memory can be read"),
            pages: block_on(device.read_pages(number, 1)).expect("memory can be read"),
        };
        pager
            .deliver(fetched, &[number], known)
            .expect("the header is sound");
    };
    while let Err(error) = Engine::prepare(&mut pager, &env) {
        deliver(&mut pager, error.missing_page.expect("a page is missing"));
    }
    let mut reader = Engine::open(pager, &env).expect("it was prepared");
    let find = quire::bson::extended_json::parse_document(
        r#"{"find":"herbs","$db":"garden","batchSize":10}"#,
    );
    let find = find.expect("it is Extended JSON");
    let id = loop {
        let outcome = reader.run(find.as_bytes(), &env);
        match outcome.missing_page {
            Some(page) => deliver(reader.pager_mut(), page),
            None => {
                let reply = quire::bson::Document::from_valid_bytes(&outcome.reply);
                let cursor = reply.get("cursor").as_document().expect("a cursor");
                break cursor.get("id").as_exact_i64().expect("a number");
            }
        }
    };
    assert!(reader.has_readers() && !reader.pager().is_resident());
    for _ in 0..3 {
        done(&mut writer, &env, REWRITE);
        commit(&mut writer, &device);
    }
    refresh(&mut reader, &env, &device);
    // What was read is given as it was; then the cursor ends.
    let mut batches = 0;
    let said = loop {
        let reply = run(&mut reader, &env, &get_more(id));
        if !reply.contains(r#""ok":1"#) {
            break reply;
        }
        let (names, next) = batch(&reply);
        assert!(next == id && names.iter().all(|name| name.starts_with("herb ")));
        batches += 1;
    };
    assert!(batches < 10 && said.contains("QueryPlanKilled"), "{said}");
    assert!(said.contains("another tab wrote over pages"), "{said}");
}
