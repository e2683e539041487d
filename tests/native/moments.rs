//! Moments through commands: that they keep their state over commits, crashes, tabs, damage and repair, and their cost.
//!
//! Invariant: a kept state reads as it did, after all changes of the present.

use crate::support::stored::{
    commit, done, first_batch, garden, holdings, host, insert, is_sound, number, open,
};
use bson::{Bson, Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{
    Durability, Fault, FaultDevice, Fetched, MemoryDevice, PageDevice, PageNumber, Pager, page,
};

fn keep(engine: &mut Engine, env: &NativeEnv) -> i64 {
    number(
        &done(engine, env, &doc! { "quireMoment": 1, "$db": "garden" }),
        "number",
    )
}

/// The documents of a collection at a moment.
fn at(engine: &mut Engine, env: &NativeEnv, moment: impl Into<Bson>, name: &str) -> Vec<Bson> {
    let find = doc! { "find": name, "batchSize": 5000, "sort": { "_id": 1 } };
    let command = doc! { "quireAt": moment, "command": find, "$db": "garden" };
    first_batch(&done(engine, env, &command)).to_vec()
}

fn rewrite(to: &str) -> Document {
    doc! { "update": "herbs", "$db": "garden", "updates": [{ "q": {}, "u": { "$set": { "was": to } }, "multi": true }] }
}

fn now(engine: &mut Engine, env: &NativeEnv) -> Vec<Bson> {
    let find = doc! { "find": "herbs", "batchSize": 5000, "sort": { "_id": 1 }, "$db": "garden" };
    first_batch(&done(engine, env, &find)).to_vec()
}

#[test]
fn everything_comes_back_as_it_was() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut engine = garden(&env, &device);
    let before = holdings(&mut engine, &env);
    let moment = keep(&mut engine, &env);
    done(&mut engine, &env, &rewrite("new"));
    done(&mut engine, &env, &doc! {"drop":"trees","$db":"garden"});
    done(
        &mut engine,
        &env,
        &doc! {"dropIndexes":"herbs","index":"tags_row","$db":"garden"},
    );
    done(&mut engine, &env, &insert("weeds", 0, 40));
    done(&mut engine, &env, &doc! {"drop":"wild","$db":"garden"});
    commit(&mut engine, &device);
    let mut engine = open(&device, &env).expect("the store is sound");
    let restored = done(
        &mut engine,
        &env,
        &doc! { "quireRestore": moment, "$db": "admin" },
    );
    assert_eq!(restored.get_array("restored").expect("names").len(), 4);
    assert_eq!(holdings(&mut engine, &env), before);
    is_sound(&mut engine, &env);
    commit(&mut engine, &device);
    let mut engine = open(&device, &env).expect("the store is sound");
    assert_eq!(holdings(&mut engine, &env), before);
    is_sound(&mut engine, &env);
    let again = done(
        &mut engine,
        &env,
        &doc! { "quireRestore": moment, "$db": "admin" },
    );
    assert!(again.get_array("restored").expect("names").is_empty());
    done(
        &mut engine,
        &env,
        &doc! { "quireDropMoment": moment, "$db": "admin" },
    );
    commit(&mut engine, &device);
    assert_eq!(holdings(&mut engine, &env), before);
    is_sound(&mut engine, &env);
}

#[test]
fn unnamed_moments_are_bounded_and_named_ones_stay() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut engine = Engine::create(&env).expect("memory can be had");
    done(&mut engine, &env, &insert("herbs", 0, 3000));
    let bookmark = doc! { "quireMoment": 1, "name": "first", "$db": "garden" };
    let first = number(&done(&mut engine, &env, &bookmark), "number");
    let kept = now(&mut engine, &env);
    let mut dropped = 0;
    for round in 0..12 {
        done(&mut engine, &env, &rewrite(&format!("round {round}")));
        let made = done(
            &mut engine,
            &env,
            &doc! { "quireMoment": 1, "limitPages": 60, "$db": "garden" },
        );
        let changes = made.get_document("changes").expect("since the first");
        assert_eq!(number(changes, "changed"), 3000);
        assert!(number(changes, "pages") > 10);
        dropped += made.get_array("dropped").expect("numbers").len();
        let list = done(
            &mut engine,
            &env,
            &doc! { "quireMoments": 1, "$db": "garden" },
        );
        assert!(number(&list, "unnamedPages") <= 60, "{list}");
        let moments = list.get_array("moments").expect("moments");
        assert_eq!(moments.len(), round + 2 - dropped);
        commit(&mut engine, &device);
    }
    assert!(dropped > 5);
    let mut engine = open(&device, &env).expect("the store is sound");
    assert_eq!(at(&mut engine, &env, "first", "herbs"), kept);
    // No page is kept without a moment: with all of them gone, as many pages are in use as before.
    let list = done(
        &mut engine,
        &env,
        &doc! { "quireMoments": 1, "$db": "garden" },
    );
    let mut freed = 0;
    for moment in list.get_array("moments").expect("moments") {
        let moment = number(moment.as_document().expect("one"), "number");
        let reply = done(
            &mut engine,
            &env,
            &doc! { "quireDropMoment": moment, "$db": "garden" },
        );
        freed += number(&reply, "pagesFreed");
    }
    assert_eq!(freed, number(&list, "pages"));
    let said = engine.run_command(&doc! { "quireDropMoment": first, "$db": "garden" }, &env);
    assert_eq!(said.expect_err("it is gone").code_name(), "BadValue");
    let sound = done(&mut engine, &env, &doc! {"validate":"herbs","$db":"garden"});
    assert_eq!(sound.get_bool("valid").ok(), Some(true), "{sound}");
}

#[test]
fn a_state_that_did_not_change_is_kept_once() {
    let env = host();
    let mut engine = Engine::create(&env).expect("memory can be had");
    done(&mut engine, &env, &insert("herbs", 0, 30));
    let one = keep(&mut engine, &env);
    let pages = engine.pager().page_count();
    assert_eq!(keep(&mut engine, &env), one);
    // A command that leaves everything as it was before changes nothing.
    done(&mut engine, &env, &doc! {"find":"herbs","$db":"garden"});
    let named = doc! { "quireMoment": 1, "name": "spring", "$db": "garden" };
    assert_eq!(number(&done(&mut engine, &env, &named), "number"), one);
    assert_eq!(engine.pager().page_count(), pages);
    let other = doc! { "quireMoment": 1, "name": "fall", "$db": "garden" };
    assert!(number(&done(&mut engine, &env, &other), "number") > one);
    done(&mut engine, &env, &rewrite("x"));
    let said = engine
        .run_command(&named, &env)
        .expect_err("another has that name");
    assert_eq!(said.code_name(), "BadValue");
}

#[test]
fn another_tab_sees_moments_and_restores_them() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut writer = Engine::create(&env).expect("memory can be had");
    done(&mut writer, &env, &insert("herbs", 0, 900));
    commit(&mut writer, &device);
    let mut reader = open(&device, &env).expect("the store is sound");
    let kept = now(&mut writer, &env);
    let moment = keep(&mut writer, &env);
    for round in 0..4 {
        done(&mut writer, &env, &rewrite(&format!("round {round}")));
        keep(&mut writer, &env);
        commit(&mut writer, &device);
    }
    let known = reader.pager().sequence();
    let header = block_on(device.read_header()).expect("memory can be read");
    let mut changed = block_on(device.read_pages(1, 10_000)).expect("memory can be read");
    changed.retain(|(_, buffer)| page::sequence_of(buffer) > known);
    let header = header.expect("the store has a header");
    reader
        .refresh(&header, changed, &env)
        .expect("nothing here is unsaved");
    assert_eq!(at(&mut reader, &env, moment, "herbs"), kept);
    let restore = doc! { "quireRestore": moment, "database": "garden", "$db": "admin" };
    done(&mut reader, &env, &restore);
    assert_eq!(now(&mut reader, &env), kept);
    commit(&mut reader, &device);
    let mut third = open(&device, &env).expect("the store is sound");
    assert_eq!(now(&mut third, &env), kept);
    let list = done(
        &mut third,
        &env,
        &doc! { "quireMoments": 1, "$db": "garden" },
    );
    assert_eq!(list.get_array("moments").expect("moments").len(), 5);
    let sound = done(&mut third, &env, &doc! {"validate":"herbs","$db":"garden"});
    assert_eq!(sound.get_bool("valid").ok(), Some(true), "{sound}");
}

#[test]
fn pages_that_come_on_demand_are_told_from_those_of_moments() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut writer = Engine::create(&env).expect("memory can be had");
    done(&mut writer, &env, &insert("herbs", 0, 900));
    let moment = keep(&mut writer, &env);
    let kept = now(&mut writer, &env);
    done(
        &mut writer,
        &env,
        &doc! {"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$gte":400}},"limit":0}]},
    );
    commit(&mut writer, &device);
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
    let mut engine = Engine::open(pager, &env).expect("it was prepared");
    let mut faulting = |command: &Document| loop {
        match engine.run_command(command, &env) {
            Ok(reply) => break reply,
            Err(error) => {
                let page = error.missing_page.unwrap_or_else(|| panic!("{error}"));
                deliver(engine.pager_mut(), page);
            }
        }
    };
    faulting(&doc! {"drop":"herbs","$db":"garden"});
    faulting(&doc! { "quireMoment": 1, "$db": "garden" });
    faulting(&doc! { "quireRestore": moment, "$db": "garden" });
    let command =
        doc! { "find": "herbs", "batchSize": 5000, "sort": { "_id": 1 }, "$db": "garden" };
    assert_eq!(first_batch(&faulting(&command)), kept);
    faulting(&doc! { "quireDropMoment": moment, "$db": "garden" });
    let sound = faulting(&doc! {"validate":"herbs","$db":"garden"});
    assert_eq!(sound.get_bool("valid").ok(), Some(true), "{sound}");
    commit(&mut engine, &device);
    is_whole(&mut open(&device, &env).expect("the store is sound"), &env);
}

fn is_whole(engine: &mut Engine, env: &NativeEnv) {
    let sound = done(engine, env, &doc! {"validate":"herbs","$db":"garden"});
    assert_eq!(sound.get_bool("valid").ok(), Some(true), "{sound}");
}

#[test]
fn without_room_unnamed_moments_go_first() {
    let (env, device) = (host(), FaultDevice::over(MemoryDevice::new()));
    let mut engine = Engine::create(&env).expect("memory can be had");
    let bookmark = doc! { "quireMoment": 1, "name": "empty", "$db": "garden" };
    done(&mut engine, &env, &bookmark);
    done(&mut engine, &env, &insert("herbs", 0, 30));
    commit(&mut engine, device.stored());
    let store = |engine: &mut Engine| {
        engine.take_batch().expect("the pages are sound");
        let batch = engine
            .pager()
            .unconfirmed_batch()
            .expect("there is something");
        let written = block_on(device.write(&batch, Durability::Strict));
        if written.is_ok() {
            engine.confirm(batch.sequence);
        }
        (written.is_ok(), batch.byte_length())
    };
    done(&mut engine, &env, &insert("weeds", 0, 5000));
    keep(&mut engine, &env);
    device.plan(3, Fault::Full);
    let (is_stored, large) = store(&mut engine);
    assert!(!is_stored);
    engine.set_full("no room".to_owned());
    // The moment keeps the dropped pages: dropping the collection alone frees nothing.
    done(&mut engine, &env, &doc! {"drop":"weeds","$db":"garden"});
    device.plan(3, Fault::Full);
    let (is_stored, still_large) = store(&mut engine);
    assert!(!is_stored && still_large >= large);
    assert_eq!(engine.drop_unnamed_moments().expect("they are readable"), 1);
    let (is_stored, small) = store(&mut engine);
    assert!(is_stored && small * 5 < large, "{small} of {large}");
    engine.set_writable();
    assert_eq!(engine.drop_unnamed_moments().expect("they are readable"), 0);
    let mut engine = open(device.stored(), &env).expect("the store is sound");
    assert_eq!(now(&mut engine, &env).len(), 30);
    let list = done(
        &mut engine,
        &env,
        &doc! { "quireMoments": 1, "$db": "garden" },
    );
    assert_eq!(list.get_array("moments").expect("moments").len(), 1);
    is_whole(&mut engine, &env);
}

#[test]
fn a_cursor_over_a_moment_outlives_it() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut engine = Engine::create(&env).expect("memory can be had");
    done(&mut engine, &env, &insert("herbs", 0, 900));
    let moment = keep(&mut engine, &env);
    done(&mut engine, &env, &rewrite("new"));
    commit(&mut engine, &device);
    let find = doc! { "find": "herbs", "batchSize": 10 };
    let reply = done(
        &mut engine,
        &env,
        &doc! { "quireAt": moment, "command": find, "$db": "garden" },
    );
    let id = reply
        .get_document("cursor")
        .expect("a cursor")
        .get_i64("id");
    done(
        &mut engine,
        &env,
        &doc! { "quireDropMoment": moment, "$db": "garden" },
    );
    for round in 0..4 {
        done(&mut engine, &env, &rewrite(&format!("round {round}")));
        commit(&mut engine, &device);
    }
    let more = doc! { "getMore": id.expect("it is open"), "collection": "herbs", "$db": "garden" };
    let reply = done(&mut engine, &env, &more);
    let cursor = reply.get_document("cursor").expect("a cursor");
    let rest = cursor.get_array("nextBatch").expect("a batch");
    let is_old = |herb: &Bson| !herb.as_document().expect("one").contains_key("was");
    assert!(rest.len() == 890 && rest.iter().all(is_old));
    is_whole(&mut engine, &env);
}

#[test]
fn a_command_on_a_moment_keeps_its_own_time_limit() {
    let env = host();
    let mut engine = Engine::create(&env).expect("memory can be had");
    done(&mut engine, &env, &insert("herbs", 0, 300));
    let moment = keep(&mut engine, &env);
    let add = doc! { "$add": ["$$value", "$$this"] };
    let nested =
        doc! { "$reduce": { "input": { "$range": [0, 100_000] }, "initialValue": 0, "in": add } };
    let slow = |inner: Option<i32>, outer: Option<i32>| {
        let mut command = doc! {
            "aggregate": "herbs",
            "pipeline": [{ "$set": { "n": nested.clone() } }, { "$group": { "_id": "$n" } }],
            "cursor": {},
        };
        inner.map(|millis| command.insert("maxTimeMS", millis));
        let mut whole = doc! { "quireAt": moment, "command": command, "$db": "garden" };
        outer.map(|millis| whole.insert("maxTimeMS", millis));
        whole
    };
    // The smaller of both counts, and each where it is alone.
    for (inner, outer) in [
        (Some(1), None),
        (None, Some(1)),
        (Some(1), Some(1_000_000)),
        (Some(1_000_000), Some(1)),
    ] {
        let ended = engine.run_command(&slow(inner, outer), &env);
        assert_eq!(ended.expect_err("its time is over").code, 50);
    }
    let quick = doc! { "quireAt": moment, "command": { "count": "herbs", "maxTimeMS": 1_000_000 }, "$db": "garden" };
    assert_eq!(done(&mut engine, &env, &quick).get_i32("n").ok(), Some(300));
    let odd = doc! { "quireAt": moment, "command": { "count": "herbs", "maxTimeMS": "x" }, "$db": "garden" };
    let refused = engine.run_command(&odd, &env);
    assert_eq!(refused.expect_err("it is no number").code, 14);
}

#[test]
fn compaction_leaves_moments_as_they_are() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut engine = Engine::create(&env).expect("memory can be had");
    done(&mut engine, &env, &insert("weeds", 0, 4000));
    commit(&mut engine, &device);
    done(&mut engine, &env, &insert("herbs", 0, 900));
    let kept = now(&mut engine, &env);
    let moment = keep(&mut engine, &env);
    commit(&mut engine, &device);
    done(&mut engine, &env, &rewrite("new"));
    done(&mut engine, &env, &doc! {"drop":"weeds","$db":"garden"});
    commit(&mut engine, &device);
    let compact = doc! { "compact": "herbs", "$db": "garden" };
    done(&mut engine, &env, &compact);
    commit(&mut engine, &device);
    assert_eq!(at(&mut engine, &env, moment, "herbs"), kept);
    is_whole(&mut engine, &env);
    let before = engine.pager().page_count();
    done(
        &mut engine,
        &env,
        &doc! { "quireDropMoment": moment, "$db": "garden" },
    );
    commit(&mut engine, &device);
    done(&mut engine, &env, &compact);
    commit(&mut engine, &device);
    let after = engine.pager().page_count();
    assert!(after * 2 < before, "{before} to {after}");
    is_whole(&mut engine, &env);
}

#[test]
fn damage_to_what_tells_of_moments_costs_the_moments_alone() {
    let (env, device) = (host(), MemoryDevice::new());
    let mut engine = Engine::create(&env).expect("memory can be had");
    done(&mut engine, &env, &insert("herbs", 0, 900));
    commit(&mut engine, &device);
    let present: Vec<PageNumber> = device.page_numbers();
    keep(&mut engine, &env);
    // Only the moments' own tree is new.
    commit(&mut engine, &device);
    let own = device
        .page_numbers()
        .into_iter()
        .find(|page| !present.contains(page));
    let own = own.expect("a moment is stored in a page");
    done(&mut engine, &env, &rewrite("new"));
    commit(&mut engine, &device);
    let expected = now(&mut engine, &env);
    let mut bytes = device.page(own).expect("it is stored");
    bytes[9000] ^= 1;
    device.put_page(own, &bytes);
    let mut engine = open(&device, &env).expect("the catalog is whole");
    assert_eq!(now(&mut engine, &env), expected);
    let repair = doc! { "validate": "herbs", "repair": true, "$db": "garden" };
    let report = done(&mut engine, &env, &repair);
    assert_eq!(report.get_bool("valid").ok(), Some(true), "{report}");
    let warnings = report.get_array("warnings").expect("warnings");
    let is_told = |line: &Bson| {
        line.as_str()
            .is_some_and(|line| line.contains("all moments"))
    };
    assert!(warnings.iter().any(is_told), "{report}");
    commit(&mut engine, &device);
    let mut engine = open(&device, &env).expect("it was repaired");
    assert_eq!(now(&mut engine, &env), expected);
    is_whole(&mut engine, &env);
    // Salvaging takes the present, and no documents that only moments had.
    keep(&mut engine, &env);
    done(
        &mut engine,
        &env,
        &doc! {"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$lt":400}},"limit":0}]},
    );
    commit(&mut engine, &device);
    let header = block_on(device.read_header()).expect("memory can be read");
    let pages = block_on(device.read_pages(1, 10_000)).expect("memory can be read");
    let mut salvaged =
        Engine::salvage(header.as_deref(), pages, &env).expect("there is memory for it");
    assert_eq!(now(&mut salvaged, &env).len(), 500);
    let lists = doc! { "listDatabases": 1, "nameOnly": true, "$db": "admin" };
    let lists = done(&mut salvaged, &env, &lists);
    assert_eq!(
        lists.get_array("databases").expect("names"),
        &["admin", "config", "garden", "local"].map(|name| doc! { "name": name }.into()),
        "{lists}"
    );
}

#[test]
fn differences_pair_documents_and_come_in_parts() {
    let env = host();
    let mut engine = Engine::create(&env).expect("memory can be had");
    done(&mut engine, &env, &insert("herbs", 0, 2000));
    let moment = keep(&mut engine, &env);
    let delete = |from: i32, to: i32| doc! {"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$gte":from,"$lt":to}},"limit":0}]};
    done(&mut engine, &env, &delete(100, 200));
    // Half of the deleted herbs come back as they were, the other half not at all.
    done(&mut engine, &env, &insert("herbs", 100, 150));
    done(&mut engine, &env, &insert("herbs", 2000, 2300));
    done(
        &mut engine,
        &env,
        &doc! {"update":"herbs","$db":"garden","updates":[{"q":{"_id":{"$gte":1000,"$lt":1100}},"u":{"$set":{"bed.row":99}},"multi":true}]},
    );
    let (mut after, mut told) = (None::<i64>, Vec::new());
    loop {
        let mut command =
            doc! { "quireDifference": "herbs", "from": moment, "limit": 37, "$db": "garden" };
        if let Some(after) = after {
            command.insert("after", after);
        }
        let reply = done(&mut engine, &env, &command);
        let documents = reply.get_array("documents").expect("documents");
        assert!(documents.len() <= 37);
        for change in documents {
            let change = change.as_document().expect("one");
            let what = change
                .get_str("change")
                .expect("what became of it")
                .to_owned();
            told.push((what, number(change, "_id")));
            if let Ok(fields) = change.get_array("fields") {
                assert_eq!(fields.len(), 1, "{change}");
            }
        }
        match reply.get_i64("next") {
            Ok(next) => after = Some(next),
            Err(_) => break,
        }
    }
    told.sort();
    let of = |what: &str, ids: std::ops::Range<i64>| -> Vec<(String, i64)> {
        ids.map(|id| (what.to_owned(), id)).collect()
    };
    let mut expected = of("added", 2000..2300);
    // A row that was 99 % 17 before would be no change; none is.
    expected.extend(of("changed", 1000..1100));
    expected.extend(of("removed", 150..200));
    assert_eq!(told, expected);
}
