//! Deployments on a memory device, for tests of damage and of stored formats: commands as documents, and a garden that
//! has something of every kind of page and index.
//!
//! Invariant: the same calls give the same bytes, because time and chance are fixed.
#![allow(dead_code)]

use bson::{Bson, Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{Durability, MemoryDevice, PageDevice, load};

/// The host of every such test.
pub fn host() -> NativeEnv {
    NativeEnv::fixed(1_767_225_600_000, 7)
}

/// Runs a command that must succeed.
pub fn done(engine: &mut Engine, env: &NativeEnv, command: &Document) -> Document {
    let reply = engine.run_command(command, env);
    reply.unwrap_or_else(|error| panic!("{command}: {error:?}"))
}

/// A reply without the times that the engine tells, which are others in each run.
pub fn without_times(mut reply: Document) -> Document {
    reply.remove("$clusterTime");
    reply.remove("operationTime");
    reply
}

/// The first batch of a reply.
pub fn first_batch(reply: &Document) -> &[Bson] {
    let cursor = reply.get_document("cursor").expect("it has a cursor");
    cursor.get_array("firstBatch").expect("a batch")
}

/// A number of a reply, of whichever type.
pub fn number(reply: &Document, name: &str) -> i64 {
    match reply.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        Some(Bson::Double(number)) => *number as i64,
        other => panic!("{name} is no number but {other:?}: {reply}"),
    }
}

/// Stores all changes that are not stored yet.
pub fn commit(engine: &mut Engine, device: &MemoryDevice) {
    while let Some(batch) = engine.take_batch().expect("the pages are sound") {
        block_on(device.write(&batch, Durability::Strict)).expect("memory can be written");
        engine.confirm(batch.sequence);
    }
}

/// Opens the stored deployment, damaged pages and all.
pub fn open(device: &MemoryDevice, env: &NativeEnv) -> Result<Engine, String> {
    let loaded = block_on(load(device)).map_err(|error| error.to_string())?;
    let pager = loaded.ok_or("nothing is stored")?.pager;
    Engine::open(pager, env).map_err(|error| error.to_string())
}

/// The herbs with these numbers, as an insert.
pub fn insert(collection: &str, from: i32, to: i32) -> Document {
    let herbs = (from..to).map(|number| {
        let tags: Bson = match number % 3 {
            0 => vec!["wild", "tall"].into(),
            _ => "tame".into(),
        };
        doc! { "_id": number, "name": format!("herb {number:05}"), "bed": { "row": number % 17 }, "tags": tags }
    });
    doc! { "insert": collection, "$db": "garden", "documents": herbs.collect::<Vec<Document>>() }
}

/// A garden with two collections of several pages, indexes of each kind, documents and keys with overflow pages, a
/// capped collection, a view, and pages that are free.
pub fn garden(env: &NativeEnv, device: &MemoryDevice) -> Engine {
    let mut engine = Engine::create(env).expect("memory can be had");
    let mut done = |command: &Document| drop(self::done(&mut engine, env, command));
    done(&doc! {"createIndexes":"herbs","$db":"garden","indexes":[
    {"key":{"name":1},"name":"name_1","unique":true},{"key":{"tags":1,"bed.row":-1},"name":"tags_row"},
    {"key":{"bed":"hashed"},"name":"bed_hashed"},{"key":{"$**":1},"name":"all","wildcardProjection":{"bed":1}},
    {"key":{"name":1},"name":"name_en","collation":{"locale":"en","strength":2}},
    {"key":{"sown":1},"name":"sown_1","expireAfterSeconds":3600,"sparse":true}]});
    done(&insert("herbs", 0, 300));
    done(&insert("trees", 0, 40));
    let text = "a long word ".repeat(1700);
    done(
        &doc! { "insert": "trees", "$db": "garden", "documents": [{ "_id": "long", "text": text }] },
    );
    done(
        &doc! {"createIndexes":"trees","$db":"garden","indexes":[{"key":{"text":1},"name":"text_1"}]},
    );
    done(&doc! {"create":"log","$db":"garden","capped":true,"size":4096});
    done(
        &doc! {"insert":"log","$db":"garden","documents":[{"_id":1,"said":"sown"},{"_id":2,"said":"reaped"}]},
    );
    done(
        &doc! {"create":"wild","$db":"garden","viewOn":"herbs","pipeline":[{"$match":{"tags":"wild"}}]},
    );
    commit(&mut engine, device);
    let mut done = |command: &Document| drop(self::done(&mut engine, env, command));
    done(&insert("weeds", 0, 90));
    done(&doc! {"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$gte":250}},"limit":0}]});
    commit(&mut engine, device);
    self::done(&mut engine, env, &doc! {"drop":"weeds","$db":"garden"});
    commit(&mut engine, device);
    engine
}

/// How many of the holdings are documents: the ones behind are the catalog.
pub const DOCUMENTS: usize = 8;

/// The garden's documents and catalog, for comparing.
pub fn holdings(engine: &mut Engine, env: &NativeEnv) -> Vec<Document> {
    let find = |collection: &str, more: Document| {
        let mut find = doc! { "find": collection, "$db": "garden", "batchSize": 2000 };
        find.extend(more);
        find
    };
    let folded = doc! { "locale": "en", "strength": 2 };
    [
        find("herbs", doc! { "sort": { "_id": 1 } }),
        find("trees", doc! { "sort": { "_id": 1 } }),
        find("log", doc! {}),
        find("wild", doc! { "sort": { "_id": 1 } }),
        find(
            "herbs",
            doc! { "filter": { "name": "herb 00077" }, "hint": "name_1" },
        ),
        find(
            "herbs",
            doc! { "filter": { "tags": "tall", "bed.row": 3 }, "hint": "tags_row" },
        ),
        find(
            "herbs",
            doc! { "filter": { "bed": { "row": 5 } }, "hint": "bed_hashed" },
        ),
        find(
            "herbs",
            doc! { "filter": { "name": "HERB 00042" }, "hint": "name_en", "collation": folded },
        ),
        doc! { "listCollections": 1, "$db": "garden" },
        doc! { "listIndexes": "herbs", "$db": "garden" },
    ]
    .map(|command| without_times(done(engine, env, &command)))
    .to_vec()
}

/// Every collection is sound.
pub fn is_sound(engine: &mut Engine, env: &NativeEnv) {
    for name in ["herbs", "trees", "log"] {
        let report = done(
            engine,
            env,
            &doc! { "validate": name, "full": true, "$db": "garden" },
        );
        assert_eq!(report.get_bool("valid").ok(), Some(true), "{report}");
    }
}
