//! Two engines over one store, as two tabs have: cursors of one go on when the other has written.
//!
//! Invariant: a cursor gives the documents of the time it was opened, or the error of a cursor that was killed; never
//! anything else.

use crate::support::stored::{commit, done, host, insert, number, open};
use bson::{Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{Durability, Fetched, MemoryDevice, PageDevice, PageNumber, Pager, page};

/// Moves an engine on to the stored state.
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

/// The names in a reply, and the id of its cursor.
fn batch(reply: &Document) -> (Vec<String>, i64) {
    let cursor = reply.get_document("cursor").expect("a cursor");
    let items = cursor.get_array("firstBatch");
    let items = items.or_else(|_| cursor.get_array("nextBatch"));
    let names = items.expect("a batch").iter().map(|item| {
        let item = item.as_document().expect("it holds documents");
        item.get_str("name").expect("each has a name").to_owned()
    });
    (names.collect(), cursor.get_i64("id").expect("an id"))
}

fn get_more(id: i64) -> Document {
    doc! { "getMore": id, "collection": "herbs", "batchSize": 60, "$db": "garden" }
}

/// Rewrites every document.
fn rewrite() -> Document {
    let longer = doc! { "$set": { "name": { "$concat": ["new ", "$name"] } } };
    doc! { "update": "herbs", "$db": "garden", "updates": [{ "q": {}, "u": [longer], "multi": true }] }
}

fn planted(env: &NativeEnv) -> (Engine, MemoryDevice) {
    let device = MemoryDevice::new();
    let mut engine = Engine::create(env).expect("memory can be had");
    done(&mut engine, env, &insert("herbs", 0, 900));
    done(
        &mut engine,
        env,
        &doc! {"createIndexes":"herbs","$db":"garden","indexes":[{"key":{"name":-1},"name":"name"}]},
    );
    commit(&mut engine, &device);
    (engine, device)
}

#[test]
fn times_go_on_from_tab_to_tab_and_after_a_reload() {
    let env = host();
    let (mut writer, device) = planted(&env);
    let mut reader = open(&device, &env).expect("the store is sound");
    let time = |engine: &Engine| engine.pager().clock().last();
    let mut last = time(&writer);
    for round in 0..4 {
        assert_eq!(time(&reader), last);
        done(
            &mut reader,
            &env,
            &insert("herbs", 900 + round, 901 + round),
        );
        // A change that is undone gives no time back, and one that makes no difference takes none.
        let noted = time(&reader);
        let same = doc! { "update": "herbs", "$db": "garden", "updates": [{ "q": { "_id": 1 }, "u": { "$set": { "_id": 1 } } }] };
        done(&mut reader, &env, &same);
        assert_eq!((noted > last, time(&reader)), (true, noted));
        commit(&mut reader, &device);
        refresh(&mut writer, &env, &device);
        std::mem::swap(&mut reader, &mut writer);
        last = noted;
    }
    let later = open(&device, &env).expect("the store is sound");
    assert_eq!(time(&later), last);
}

#[test]
fn a_write_is_retried_after_a_reload_exactly_where_it_is_stored() {
    let env = host();
    let (mut writer, device) = planted(&env);
    let session = bson::Binary {
        subtype: bson::spec::BinarySubtype::Uuid,
        bytes: vec![7; 16],
    };
    let sent = |number: i64| {
        doc! {
            "update": "herbs", "updates": [{ "q": { "_id": 1 }, "u": { "$inc": { "sent": 1 } } }],
            "lsid": { "id": session.clone() }, "txnNumber": number, "$db": "garden",
        }
    };
    let count = |engine: &mut Engine| {
        let find = doc! { "find": "herbs", "filter": { "_id": 1 }, "$db": "garden" };
        let reply = done(engine, &env, &find);
        let batch =
            { reply.get_document("cursor") }.and_then(|cursor| cursor.get_array("firstBatch"));
        let first = batch
            .expect("a batch")
            .first()
            .and_then(bson::Bson::as_document);
        number(first.expect("a document"), "sent")
    };
    done(&mut writer, &env, &sent(1));
    commit(&mut writer, &device);
    // The page was lost before this one was stored: nobody was told that it was.
    done(&mut writer, &env, &sent(2));
    assert_eq!(count(&mut writer), 2);
    let mut later = open(&device, &env).expect("the store is sound");
    let reply = done(&mut later, &env, &sent(1));
    assert_eq!(
        reply.get_array("retriedStmtIds").ok(),
        Some(&vec![bson::Bson::Int32(0)])
    );
    assert_eq!((number(&reply, "nModified"), count(&mut later)), (1, 1));
    let reply = done(&mut later, &env, &sent(2));
    assert!(!reply.contains_key("retriedStmtIds"));
    assert_eq!(count(&mut later), 2);
    commit(&mut later, &device);
    // Another tab knows it as well.
    let mut other = open(&device, &env).expect("the store is sound");
    assert!(done(&mut other, &env, &sent(2)).contains_key("retriedStmtIds"));
    // A transaction cannot go back behind the number of a write that is stored, nor take it.
    let begun = |number: i64| {
        let mut find = doc! { "find": "herbs", "$db": "garden", "autocommit": false, "startTransaction": true };
        find.insert("lsid", doc! { "id": session.clone() });
        find.insert("txnNumber", number);
        let mut later = open(&device, &env).expect("the store is sound");
        later
            .run_command(&find, &env)
            .map_or_else(|error| error.code, |_| 0)
    };
    assert_eq!([begun(1), begun(2), begun(3)], [225, 117, 0]);
}

#[test]
fn a_default_write_concern_holds_in_each_tab_and_after_a_reload() {
    let env = host();
    let (mut writer, device) = planted(&env);
    let asked = |engine: &mut Engine, command: &Document| {
        let outcome = engine.run(&command.to_vec().expect("a command"), &env);
        assert!(outcome.missing_page.is_none());
        outcome.commit
    };
    let set = doc! { "setDefaultRWConcern": 1, "defaultWriteConcern": { "w": "majority" }, "$db": "admin" };
    assert_eq!(
        asked(&mut writer, &insert("herbs", 900, 901)),
        Some(Durability::Relaxed)
    );
    done(&mut writer, &env, &set);
    commit(&mut writer, &device);
    let mut later = open(&device, &env).expect("the store is sound");
    assert_eq!(
        asked(&mut later, &insert("herbs", 901, 902)),
        Some(Durability::Strict)
    );
    let mut own = insert("herbs", 902, 903);
    own.insert("writeConcern", doc! { "w": 1 });
    assert_eq!(asked(&mut later, &own), Some(Durability::Relaxed));
    // Reads wait for nothing.
    let find = doc! { "find": "herbs", "$db": "garden" };
    assert_eq!(asked(&mut later, &find), None);
}

#[test]
fn the_settings_of_a_query_shape_hold_in_each_tab_and_after_a_reload() {
    let env = host();
    let (mut writer, device) = planted(&env);
    let query = doc! { "find": "herbs", "filter": { "name": "sage" }, "$db": "garden" };
    let set =
        doc! { "setQuerySettings": query.clone(), "settings": { "reject": true }, "$db": "admin" };
    done(&mut writer, &env, &set);
    commit(&mut writer, &device);
    let mut later = open(&device, &env).expect("the store is sound");
    let code = |engine: &mut Engine, query: &Document| {
        engine
            .run_command(query, &env)
            .map_or_else(|error| error.code, |_| 0)
    };
    assert_eq!(code(&mut later, &query), 411);
    let remove = doc! { "removeQuerySettings": query.clone(), "$db": "admin" };
    done(&mut later, &env, &remove);
    commit(&mut later, &device);
    let mut last = open(&device, &env).expect("the store is sound");
    assert_eq!(code(&mut last, &query), 0);
}

#[test]
fn cursors_go_on_over_what_they_were_opened_on() {
    let env = host();
    let (mut reader, device) = planted(&env);
    for find in [
        doc! {"find":"herbs","$db":"garden","batchSize":10},
        doc! {"find":"herbs","$db":"garden","batchSize":10,"sort":{"name":-1}},
        doc! {"find":"herbs","$db":"garden","batchSize":10,"filter":{"tags":"tame"},"sort":{"bed.row":1}},
        doc! {"aggregate":"herbs","$db":"garden","cursor":{"batchSize":10},"pipeline":[{"$sort":{"_id":-1}},{"$lookup":{"from":"herbs","localField":"_id","foreignField":"_id","as":"same"}},{"$set":{"name":{"$first":"$same.name"},"same":"$$REMOVE"}}]},
    ] {
        let mut all = find.clone();
        match all.get_document_mut("cursor") {
            Ok(cursor) => cursor.insert("batchSize", 1000),
            Err(_) => all.insert("batchSize", 1000),
        };
        let expected = batch(&done(&mut reader, &env, &all)).0;
        let (mut given, mut id) = batch(&done(&mut reader, &env, &find));
        let mut writer = open(&device, &env).expect("the store is sound");
        for round in 0..20 {
            // Each round another writer changes every page, and frees and reuses those before.
            done(&mut writer, &env, &rewrite());
            done(
                &mut writer,
                &env,
                &doc! {"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$gte":600}},"limit":0}]},
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
            // A new find reads the present.
            let one = done(
                &mut reader,
                &env,
                &doc! {"find":"herbs","$db":"garden","filter":{"_id":5}},
            );
            assert!(batch(&one).0[0].starts_with("new "), "{one}");
        }
        assert_eq!((given, id), (expected, 0), "{find}");
        let status = done(&mut reader, &env, &doc! {"serverStatus":1,"$db":"admin"});
        let metrics = status.get_document("metrics").expect("metrics");
        let cursors = metrics.get_document("cursor").expect("of cursors");
        let open = cursors.get_document("open").expect("of open ones");
        assert_eq!(number(open, "total"), 0, "{status}");
        done(&mut writer, &env, &doc! {"drop":"herbs","$db":"garden"});
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
        &doc! {"find":"herbs","$db":"garden","batchSize":10},
    ));
    let mut writer = open(&device, &env).expect("the store is sound");
    done(&mut writer, &env, &doc! {"drop":"herbs","$db":"garden"});
    done(&mut writer, &env, &insert("herbs", 0, 10));
    commit(&mut writer, &device);
    refresh(&mut reader, &env, &device);
    let said = reader.run_command(&get_more(id), &env);
    let said = said.expect_err("it was killed");
    assert_eq!(said.code_name(), "QueryPlanKilled");
    assert!(said.message.contains("collection dropped"), "{said}");
    let said = reader.run_command(&get_more(id), &env);
    assert_eq!(said.expect_err("it is gone").code_name(), "CursorNotFound");
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
    let find = doc! { "find": "herbs", "$db": "garden", "batchSize": 10 };
    let id = loop {
        match reader.run_command(&find, &env) {
            Ok(reply) => break batch(&reply).1,
            Err(error) => {
                let page = error.missing_page.expect("a page is missing");
                deliver(reader.pager_mut(), page);
            }
        }
    };
    assert!(reader.has_readers() && !reader.pager().is_resident());
    for _ in 0..3 {
        done(&mut writer, &env, &rewrite());
        commit(&mut writer, &device);
    }
    refresh(&mut reader, &env, &device);
    // Documents in memory are given as they were; then the cursor ends.
    let mut batches = 0;
    let said = loop {
        let reply = match reader.run_command(&get_more(id), &env) {
            Ok(reply) => reply,
            Err(said) => break said,
        };
        let (names, next) = batch(&reply);
        assert!(next == id && names.iter().all(|name| name.starts_with("herb ")));
        batches += 1;
    };
    assert!(
        batches < 10 && said.code_name() == "QueryPlanKilled",
        "{said}"
    );
    assert!(
        said.message.contains("another tab wrote over pages"),
        "{said}"
    );
}
