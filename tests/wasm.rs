//! The engine as WebAssembly in memory, and its way in for programs in Rust, in Node. The parts that need no JavaScript
//! run natively as well.
//!
//! Invariant: needs no browser; any bytes that come in get a reply.

use bson::doc;
use quire::bson::extended_json::{Format, parse_document, write_document};
use quire::bson::{Document, validate};
use quire::engine::Engine;
use quire::env::{Env, FunctionCall};
use quire::storage::conformance::block_on;
use quire::storage::{Durability, MemoryDevice, PageDevice, load};
use serde::{Deserialize, Serialize};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg(target_arch = "wasm32")]
#[path = "support/host.rs"]
mod host;

/// A world that stands still.
struct Still;

impl Env for Still {
    fn now_millis(&self) -> i64 {
        1_767_225_600_000
    }

    fn monotonic_millis(&self) -> f64 {
        0.0
    }

    fn fill_random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn zone_offset_seconds(&self, _: &str, _: i64) -> Option<i32> {
        None
    }

    fn call_function(&self, _: &FunctionCall<'_>) -> Result<String, String> {
        Err("there are no script functions here".to_owned())
    }
}

fn run(engine: &mut Engine, command: &str) -> String {
    let command = parse_document(command).expect("the command is Extended JSON");
    let reply = engine.run(command.as_bytes(), &Still).reply;
    let mut text = String::new();
    write_document(
        &mut text,
        Document::from_valid_bytes(&reply),
        Format::Relaxed,
    );
    text
}

const HERBS: &str = r#"{"insert":"herbs","$db":"garden","documents":[
    {"_id":1,"name":"mint","beds":[1,2],"height":40},{"_id":2,"name":"sage","beds":[2],"height":60},
    {"_id":3,"name":"dill","beds":[],"height":90.5},{"_id":4,"name":"thyme","height":{"$numberLong":"25"}}]}"#;

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn commands_are_answered() {
    let mut engine = Engine::create(&Still).expect("an empty deployment opens");
    assert!(run(&mut engine, HERBS).starts_with(r#"{"n":4,"ok":1.0,"#));
    run(
        &mut engine,
        r#"{"createIndexes":"herbs","$db":"garden","indexes":[{"key":{"beds":1},"name":"beds_1"}]}"#,
    );
    for (command, answer) in [
        (
            r#"{"count":"herbs","query":{"beds":2},"$db":"garden"}"#,
            r#""n":2"#,
        ),
        (
            r#"{"distinct":"herbs","key":"beds","$db":"garden"}"#,
            // From keys, where an empty array is undefined and an absent field null.
            r#""values":[{"$undefined":true},null,1,2]"#,
        ),
        (
            r#"{"find":"herbs","filter":{"height":{"$lt":50}},"sort":{"height":1},"projection":{"name":1,"_id":0},"$db":"garden"}"#,
            r#"[{"name":"thyme"},{"name":"mint"}]"#,
        ),
        (
            r#"{"update":"herbs","updates":[{"q":{"name":"dill"},"u":{"$push":{"beds":9}}}],"$db":"garden"}"#,
            r#""nModified":1"#,
        ),
        (
            r#"{"aggregate":"herbs","pipeline":[{"$unwind":"$beds"},{"$group":{"_id":null,"sum":{"$sum":"$beds"}}}],"cursor":{},"$db":"garden"}"#,
            r#""sum":14"#,
        ),
        (HERBS, r#""code":11000"#),
        (
            r#"{"validate":"herbs","full":true,"$db":"garden"}"#,
            r#""valid":true"#,
        ),
        (
            r#"{"nonsense":1,"$db":"garden"}"#,
            r#""codeName":"CommandNotFound""#,
        ),
    ] {
        let reply = run(&mut engine, command);
        assert!(reply.contains(answer), "{command}: {reply}");
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn any_bytes_get_a_reply() {
    let mut engine = Engine::create(&Still).expect("an empty deployment opens");
    let whole = parse_document(HERBS).expect("the command is Extended JSON");
    for at in 0..whole.as_bytes().len() {
        let mut bytes = whole.as_bytes().to_vec();
        bytes[at] ^= 0xff;
        for bytes in [&bytes[..], &bytes[..at], &whole.as_bytes()[at..]] {
            assert_eq!(
                validate(&engine.run(bytes, &Still).reply)
                    .map(drop)
                    .map_err(|error| error.reason),
                Ok(())
            );
        }
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_deployment_is_the_same_after_its_pages_were_stored() {
    let device = MemoryDevice::new();
    let mut engine = Engine::create(&Still).expect("an empty deployment opens");
    run(&mut engine, HERBS);
    let batch = engine
        .take_batch()
        .expect("the pages are whole")
        .expect("there were changes");
    block_on(device.write(&batch, Durability::Strict)).expect("memory takes it");
    engine.confirm(batch.sequence);
    let loaded = block_on(load(&device))
        .expect("the device can be read")
        .expect("there is a deployment");
    let mut reopened = Engine::open(loaded.pager, &Still).expect("the catalog can be read");
    let find = r#"{"find":"herbs","$db":"garden"}"#;
    assert_eq!(run(&mut reopened, find), run(&mut engine, find));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn documents_of_the_bson_crate_go_in_and_out() {
    let env = quire::SystemEnv::new();
    let mut engine = Engine::create(&env).expect("an empty deployment opens");
    // Times come from the host: the crate has no clock of its own in WebAssembly, and makes no identifiers without one.
    let began = bson::DateTime::from_millis(env.now_millis());
    let mint = doc! { "_id": bson::oid::ObjectId::from_bytes([7; 12]), "name": "mint", "sown": began, "price": "1.50".parse::<bson::Decimal128>().expect("a decimal") };
    let insert = doc! { "insert": "herbs", "documents": [mint.clone(), { "name": "sage" }], "$db": "garden" };
    let reply = engine.run_command(&insert, &env).expect("it is stored");
    assert_eq!(reply.get_i32("n").ok(), Some(2));
    let find = doc! { "find": "herbs", "filter": { "sown": { "$lte": began } }, "$db": "garden" };
    let reply = engine.run_command(&find, &env).expect("it is found");
    let cursor = reply.get_document("cursor").expect("a cursor");
    let found = cursor.get_array("firstBatch").expect("a batch");
    assert_eq!(found, &[bson::Bson::Document(mint)]);
    // Making its `_id` needs the clock and randomness.
    let told = engine.run_command(&doc! { "hello": 1, "$db": "admin" }, &env);
    let now = *told
        .expect("it says hello")
        .get_datetime("localTime")
        .expect("the time");
    assert!(now >= began);
}

#[derive(Debug, Serialize)]
struct Count<'n> {
    count: &'n str,
    query: bson::Document,
    #[serde(rename = "$db")]
    database: &'n str,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Counted {
    n: i64,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn types_of_ones_own_go_in_and_out() {
    let mut engine = Engine::create(&Still).expect("an empty deployment opens");
    run(&mut engine, HERBS);
    let mut count = Count {
        count: "herbs",
        query: doc! { "beds": 2 },
        database: "garden",
    };
    assert_eq!(engine.run_typed(&count, &Still), Ok(Counted { n: 2 }));
    count.query = doc! { "$nonsense": 1 };
    let refused = engine.run_typed::<Counted>(&count, &Still);
    assert_eq!(refused.map_err(|error| error.code), Err(2));
    let no_document = engine.run_typed::<Counted>(&5, &Still);
    assert_eq!(no_document.map_err(|error| error.code), Err(9));
    #[derive(Debug, Deserialize)]
    struct Other {
        #[serde(rename = "n")]
        _n: String,
    }
    count.query = doc! {};
    let other = engine.run_typed::<Other>(&count, &Still);
    assert_eq!(other.map(drop).map_err(|error| error.code), Err(9));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn an_error_reply_is_an_error() {
    let mut engine = Engine::create(&Still).expect("an empty deployment opens");
    let index = doc! { "key": { "name": 1 }, "name": "name", "unique": true };
    let create = doc! { "createIndexes": "herbs", "indexes": [index], "$db": "garden" };
    engine.run_command(&create, &Still).expect("it is created");
    let insert = doc! { "insert": "herbs", "documents": [{ "_id": 1, "name": "mint" }, { "_id": 2, "name": "dill" }], "$db": "garden" };
    engine.run_command(&insert, &Still).expect("it is stored");
    let change = doc! { "findAndModify": "herbs", "query": { "_id": 1 }, "update": { "$set": { "name": "dill" } }, "$db": "garden" };
    let error = engine
        .run_command(&change, &Still)
        .expect_err("the name is taken");
    assert_eq!(
        (error.code, error.code_name().as_str()),
        (11000, "DuplicateKey")
    );
    assert!(error.message.contains("dill"), "{error}");
    let details = error.details.as_deref().expect("the key is told");
    let details = Document::from_valid_bytes(details);
    let key = details
        .get("keyValue")
        .as_document()
        .expect("the key's value");
    assert_eq!(key.get("name").as_str(), Some("dill"));
    let nameless = engine.run_command(&doc! { "ping": 1 }, &Still);
    assert!(nameless.is_err(), "no database was named");
    let unwritable = doc! { "ping": 1, "a\0b": 1, "$db": "garden" };
    let refused = engine.run_command(&unwritable, &Still);
    assert_eq!(refused.map_err(|error| error.code), Err(9));
}

#[cfg(target_arch = "wasm32")]
mod bindings {
    use super::host::host;
    use super::{HERBS, wasm_bindgen_test};
    use quire::wasm::QuireEngine;

    #[wasm_bindgen_test]
    fn a_deployment_in_memory_answers_in_extended_json() {
        let Ok(mut engine) = QuireEngine::open_memory(host()) else {
            panic!("an empty deployment opens");
        };
        assert!(engine.run_json(HERBS).contains(r#""n":{"$numberInt":"4"}"#));
        let found = engine.run_json(
            r#"{"find":"herbs","filter":{"name":{"$regex":"^M","$options":"i"}},"$db":"garden"}"#,
        );
        assert!(
            found.contains("mint") && !found.contains("thyme"),
            "{found}"
        );
        assert!(engine.run_json("no JSON").contains("FailedToParse"));
        assert!(!engine.has_unsaved(), "memory is never unsaved");
        engine.run(1 << 20);
        assert!(
            engine.reply_length() > 4,
            "a length beyond the room is an error reply"
        );
        assert_eq!(engine.await_data_millis(), None);
    }
}
