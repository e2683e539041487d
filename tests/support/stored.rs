//! Deployments on a memory device, for tests of damage and of stored formats: commands as Extended JSON, and a garden
//! that has something of every kind of page and index.
//!
//! Invariant: the same calls give the same bytes, because time and chance are fixed.
#![allow(dead_code)]

use quire::bson::Document;
use quire::bson::extended_json::{Format, parse_document, write_document};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{Durability, MemoryDevice, PageDevice, load};

/// The host of every such test.
pub fn host() -> NativeEnv {
    NativeEnv::fixed(1_767_225_600_000, 7)
}

/// Runs a command; the reply as relaxed Extended JSON.
pub fn run(engine: &mut Engine, env: &NativeEnv, command: &str) -> String {
    let command = parse_document(command).unwrap_or_else(|error| panic!("{command}: {error}"));
    let outcome = engine.run(command.as_bytes(), env);
    assert_eq!(outcome.missing_page, None, "every page is resident");
    let mut text = String::new();
    let reply = Document::from_valid_bytes(&outcome.reply);
    write_document(&mut text, reply, Format::Relaxed);
    text
}

/// Runs a command that must succeed.
pub fn done(engine: &mut Engine, env: &NativeEnv, command: &str) -> String {
    let reply = run(engine, env, command);
    assert!(reply.contains(r#""ok":1"#), "{command}: {reply}");
    reply
}

/// Stores what is not stored yet.
pub fn commit(engine: &mut Engine, device: &MemoryDevice) {
    while let Some(batch) = engine.take_batch().expect("the pages are sound") {
        block_on(device.write(&batch, Durability::Strict)).expect("memory can be written");
        engine.confirm(batch.sequence);
    }
}

/// Opens what is stored, damaged pages and all.
pub fn open(device: &MemoryDevice, env: &NativeEnv) -> Result<Engine, String> {
    let loaded = block_on(load(device)).map_err(|error| error.to_string())?;
    let pager = loaded.ok_or("nothing is stored")?.pager;
    Engine::open(pager, env).map_err(|error| error.to_string())
}

/// So many herbs from a number on, as an insert.
pub fn insert(collection: &str, from: u32, to: u32) -> String {
    let herbs: Vec<String> = (from..to)
        .map(|number| {
            let tags = if number % 3 == 0 {
                r#"["wild","tall"]"#
            } else {
                r#""tame""#
            };
            format!(
                r#"{{"_id":{number},"name":"herb {number:05}","bed":{{"row":{}}},"tags":{tags}}}"#,
                number % 17
            )
        })
        .collect();
    format!(
        r#"{{"insert":"{collection}","$db":"garden","documents":[{}]}}"#,
        herbs.join(",")
    )
}

/// A garden with two collections of several pages, indexes of each kind, documents and keys with overflow pages, a capped
/// collection, a view, and pages that are free.
pub fn garden(env: &NativeEnv, device: &MemoryDevice) -> Engine {
    let mut engine = Engine::create(env).expect("memory can be had");
    let mut done = |command: &str| drop(self::done(&mut engine, env, command));
    done(
        r#"{"createIndexes":"herbs","$db":"garden","indexes":[
            {"key":{"name":1},"name":"name_1","unique":true},{"key":{"tags":1,"bed.row":-1},"name":"tags_row"},
            {"key":{"bed":"hashed"},"name":"bed_hashed"},{"key":{"$**":1},"name":"all","wildcardProjection":{"bed":1}},
            {"key":{"name":1},"name":"name_en","collation":{"locale":"en","strength":2}},
            {"key":{"sown":1},"name":"sown_1","expireAfterSeconds":3600,"sparse":true}]}"#,
    );
    done(&insert("herbs", 0, 300));
    done(&insert("trees", 0, 40));
    let text = "a long word ".repeat(1700);
    done(&format!(
        r#"{{"insert":"trees","$db":"garden","documents":[{{"_id":"long","text":"{text}"}}]}}"#
    ));
    done(
        r#"{"createIndexes":"trees","$db":"garden","indexes":[{"key":{"text":1},"name":"text_1"}]}"#,
    );
    done(r#"{"create":"log","$db":"garden","capped":true,"size":4096}"#);
    done(
        r#"{"insert":"log","$db":"garden","documents":[{"_id":1,"said":"sown"},{"_id":2,"said":"reaped"}]}"#,
    );
    done(
        r#"{"create":"wild","$db":"garden","viewOn":"herbs","pipeline":[{"$match":{"tags":"wild"}}]}"#,
    );
    commit(&mut engine, device);
    let mut done = |command: &str| drop(self::done(&mut engine, env, command));
    done(&insert("weeds", 0, 90));
    done(r#"{"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$gte":250}},"limit":0}]}"#);
    commit(&mut engine, device);
    self::done(&mut engine, env, r#"{"drop":"weeds","$db":"garden"}"#);
    commit(&mut engine, device);
    engine
}

/// How many of the holdings are documents: what comes behind is the catalog.
pub const DOCUMENTS: usize = 8;

/// What the garden holds, for comparing.
pub fn holdings(engine: &mut Engine, env: &NativeEnv) -> Vec<String> {
    [
        r#"{"find":"herbs","$db":"garden","sort":{"_id":1},"batchSize":2000}"#,
        r#"{"find":"trees","$db":"garden","sort":{"_id":1},"batchSize":2000}"#,
        r#"{"find":"log","$db":"garden","batchSize":2000}"#,
        r#"{"find":"wild","$db":"garden","sort":{"_id":1},"batchSize":2000}"#,
        r#"{"find":"herbs","$db":"garden","batchSize":2000,"filter":{"name":"herb 00077"},"hint":"name_1"}"#,
        r#"{"find":"herbs","$db":"garden","batchSize":2000,"filter":{"tags":"tall","bed.row":3},"hint":"tags_row"}"#,
        r#"{"find":"herbs","$db":"garden","batchSize":2000,"filter":{"bed":{"row":5}},"hint":"bed_hashed"}"#,
        r#"{"find":"herbs","$db":"garden","batchSize":2000,"filter":{"name":"HERB 00042"},"hint":"name_en","collation":{"locale":"en","strength":2}}"#,
        r#"{"listCollections":1,"$db":"garden"}"#,
        r#"{"listIndexes":"herbs","$db":"garden"}"#,
    ]
    .map(|command| done(engine, env, command))
    .to_vec()
}

/// Every collection is sound.
pub fn is_sound(engine: &mut Engine, env: &NativeEnv) {
    for name in ["herbs", "trees", "log"] {
        let command = format!(r#"{{"validate":"{name}","full":true,"$db":"garden"}}"#);
        let report = done(engine, env, &command);
        assert!(report.contains(r#""valid":true"#), "{report}");
    }
}
