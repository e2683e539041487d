//! The engine over IndexedDB, in a browser's worker.
//!
//! The device against the conformance suite; write, drop, reopen; a second writer; damage; and every way in which
//! storage fails. Invariant: each test has deployments of its own, and restores the browser's functions it replaced.
#![cfg(target_arch = "wasm32")]

#[path = "support/browser_blocks.rs"]
mod blocks;
#[path = "support/herbs.rs"]
mod herbs;
#[path = "support/host.rs"]
mod host;
#[path = "support/idb_tools.rs"]
mod idb_tools;
#[path = "support/browser_paging.rs"]
mod paging;

use herbs::{insert, run};
use host::host;
use idb_tools::{Tools, tools};
use js_sys::{Array, Uint8Array};
use quire::bson::Document;
use quire::bson::extended_json::{Format, parse_document, write_document};
use quire::error::StorageError;
use quire::storage::{BLOCK_PAGES, FORMAT_VERSION, PAGE_SIZE, conformance};
use quire::wasm::{IDLE_MILLIS, IdbDevice, QuireEngine};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn count(tools: &Tools, what: &str) -> usize {
    tools.seen(what).as_f64().unwrap_or(f64::NAN) as usize
}

fn text(value: &JsValue) -> String {
    quire::wasm::host::message_of(value)
}

/// Opens a deployment and waits for all its pages.
async fn open(name: &str) -> QuireEngine {
    let engine = open_cold(name).await;
    resident(&engine).await;
    engine
}

/// Opens a deployment: most of its pages come later.
async fn open_cold(name: &str) -> QuireEngine {
    QuireEngine::open_indexed_db(name.to_owned(), host())
        .await
        .unwrap_or_else(|error| panic!("opening {name}: {}", text(&error)))
}

async fn resident(engine: &QuireEngine) {
    let outcome = JsFuture::from(engine.resident()).await;
    outcome.unwrap_or_else(|error| panic!("reading everything: {}", text(&error)));
}

/// Runs a command as a worker does: fetches the pages that it misses. Gives the reply and how often it stopped.
async fn run_cold(engine: &mut QuireEngine, command: &str) -> (String, u32) {
    let bytes = parse_document(command).expect("the command is Extended JSON");
    let bytes = bytes.as_bytes();
    let mut stops = 0;
    loop {
        let room = engine.command_buffer(bytes.len()) as u32;
        memory().set(&Uint8Array::from(bytes), room);
        let reply = engine.run(bytes.len()) as u32;
        if reply != 0 {
            let end = reply + engine.reply_length() as u32;
            let reply = memory().subarray(reply, end).to_vec();
            let mut text = String::new();
            write_document(
                &mut text,
                Document::from_valid_bytes(&reply),
                Format::Canonical,
            );
            return (text, stops);
        }
        stops += 1;
        assert!(stops < 200, "{command} never comes to its end");
        let fetched = JsFuture::from(engine.fetch_missing()).await;
        fetched.unwrap_or_else(|error| panic!("fetching: {}", text(&error)));
    }
}

/// All of wasm memory, as it is now.
fn memory() -> Uint8Array {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    Uint8Array::new(&memory.buffer())
}

fn pages_fetched(engine: &QuireEngine) -> u32 {
    let fetched = status(engine, "pagesFetched").as_f64();
    fetched.expect("it is a number") as u32
}

/// Opens a deployment that must be refused, and gives the reason.
async fn refused(name: &str) -> String {
    match QuireEngine::open_indexed_db(name.to_owned(), host()).await {
        Ok(_) => panic!("{name} was opened"),
        Err(error) => text(&error),
    }
}

fn counted(engine: &mut QuireEngine) -> String {
    let reply = run(engine, r#"{"count":"herbs","$db":"garden"}"#);
    let n = reply
        .split(r#""$numberInt":""#)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    n.unwrap_or_default().to_owned()
}

fn is_valid(engine: &mut QuireEngine) -> bool {
    run(engine, r#"{"validate":"herbs","full":true,"$db":"garden"}"#).contains(r#""valid":true"#)
}

async fn saved(engine: &QuireEngine) {
    flushed(engine, false).await.expect("storage works");
    if engine.has_unsaved() {
        // Pages at the end that a drop freed are released by a batch of its own.
        flushed(engine, false).await.expect("storage works");
    }
    assert!(!engine.has_unsaved());
}

async fn flushed(engine: &QuireEngine, strict: bool) -> Result<(), String> {
    let outcome = JsFuture::from(engine.flush(strict, false)).await;
    outcome.map(drop).map_err(|error| text(&error))
}

async fn reloaded(engine: &QuireEngine) -> bool {
    let outcome = JsFuture::from(engine.reload()).await;
    outcome
        .unwrap_or_else(|error| panic!("reload: {}", text(&error)))
        .is_truthy()
}

fn status(engine: &QuireEngine, field: &str) -> JsValue {
    let status = engine.status().expect("a status is plain");
    js_sys::Reflect::get(&status, &field.into()).expect("a status is an object")
}

fn mode(engine: &QuireEngine) -> String {
    status(engine, "mode").as_string().unwrap_or_default()
}

fn reason(engine: &QuireEngine) -> String {
    status(engine, "reason").as_string().unwrap_or_default()
}

/// A read-only deployment refuses writes, with its reason, and still answers reads.
fn is_read_only(engine: &mut QuireEngine, documents: u32, word: &str) {
    refuses_writes(engine, documents, "read-only", word);
}

/// A deployment in a mode that refuses writes does so, with its reason, and still answers reads.
fn refuses_writes(engine: &mut QuireEngine, documents: u32, in_mode: &str, word: &str) {
    assert_eq!(mode(engine), in_mode);
    assert!(reason(engine).contains(word), "{}", reason(engine));
    assert_eq!(counted(engine), documents.to_string());
    let refusal = engine.run_json(&insert(90_000, 90_001, ""));
    assert!(refusal.contains(word), "{refusal}");
}

/// Stores by name, each test run in a browser profile of its own.
struct Browser;

/// Where the copies of a header are.
const HEADER_KEYS: [f64; 2] = [0.0, -1.0];

impl conformance::Laboratory for Browser {
    type Device = IdbDevice;

    async fn open(&self, name: &str) -> Result<IdbDevice, StorageError> {
        Ok(IdbDevice::new(&format!("conformance {name}")))
    }

    async fn put_header(
        &self,
        name: &str,
        copy: usize,
        bytes: Option<&[u8]>,
    ) -> Result<(), StorageError> {
        let value = bytes.map_or(JsValue::UNDEFINED, |bytes| Uint8Array::from(bytes).into());
        let name = format!("conformance {name}");
        let put = tools()
            .write(&name, "meta", HEADER_KEYS[copy], &value)
            .await;
        put.map(drop)
            .map_err(|error| StorageError::device(text(&error)))
    }
}

#[wasm_bindgen_test]
async fn the_device_conforms() {
    assert_eq!(conformance::run(&Browser).await, Ok(()));
}

#[wasm_bindgen_test]
async fn what_was_written_is_there_after_reopening() {
    let mut engine = open("reopen").await;
    assert_eq!(mode(&engine), "indexeddb");
    run(
        &mut engine,
        r#"{"createIndexes":"herbs","$db":"garden","indexes":[{"key":{"tag":1},"name":"tag_1"}]}"#,
    );
    run(&mut engine, &insert(0, 3000, ""));
    run(
        &mut engine,
        r#"{"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$lt":500}},"limit":0}]}"#,
    );
    saved(&engine).await;
    let find = r#"{"find":"herbs","filter":{"tag":"t7"},"sort":{"_id":1},"batchSize":1000,"$db":"garden"}"#;
    let before = run(&mut engine, find);
    let sequence = status(&engine, "sequence");
    drop(engine);

    let mut engine = open("reopen").await;
    assert_eq!(status(&engine, "sequence"), sequence);
    assert_eq!(counted(&mut engine), "2500");
    assert_eq!(run(&mut engine, find), before);
    assert!(is_valid(&mut engine));
    assert!(!engine.has_unsaved(), "opening and reading changes nothing");
}

#[wasm_bindgen_test]
async fn commands_share_a_batch_which_the_host_asks_for() {
    let tools = tools();
    let mut engine = open("background").await;
    for n in 0..50 {
        run(&mut engine, &insert(n, n + 1, ""));
        assert!(engine.has_changed());
    }
    assert!(engine.unsaved_bytes() > 0);
    run(&mut engine, r#"{"count":"herbs","$db":"garden"}"#);
    assert!(!engine.has_changed(), "a read leaves nothing to be stored");
    // A write that the engine had begun would stand before this reading.
    let stored = tools.keys("background", "pages").await;
    assert_eq!(
        Array::from(&stored.expect("the store is there")).length(),
        0
    );
    assert!(engine.has_unsaved(), "nobody asked for a flush");
    saved(&engine).await;
    assert_eq!(engine.unsaved_bytes(), 0);
    assert_eq!(
        status(&engine, "sequence"),
        1.0,
        "one batch for fifty commands"
    );
    // One write at a time: a second one is refused while the first is under way, and loses nothing.
    run(&mut engine, &insert(50, 60, ""));
    let first = engine.flush(false, false);
    let refused = flushed(&engine, false).await;
    assert!(refused.is_err_and(|reason| reason.contains("amid another")));
    run(&mut engine, &insert(60, 70, ""));
    JsFuture::from(first).await.expect("storage works");
    saved(&engine).await;
    drop(engine);
    assert_eq!(counted(&mut open("background").await), "70");
}

#[wasm_bindgen_test]
async fn write_concern_decides_the_durability() {
    let tools = tools();
    let mut engine = open("durability").await;
    run(&mut engine, &insert(0, 1, ""));
    saved(&engine).await;
    tools.watch();
    run(&mut engine, &insert(1, 2, r#","writeConcern":{"w":1}"#));
    saved(&engine).await;
    run(&mut engine, &insert(2, 3, r#","writeConcern":{"j":true}"#));
    run(&mut engine, &insert(3, 4, ""));
    saved(&engine).await;
    run(
        &mut engine,
        &insert(4, 5, r#","writeConcern":{"w":"majority"}"#),
    );
    saved(&engine).await;
    run(&mut engine, &insert(5, 6, ""));
    saved(&engine).await;
    flushed(&engine, true).await.expect("storage works");
    flushed(&engine, true).await.expect("storage works");
    tools.restore();
    // The last but one makes the relaxed one before it strict; the last has nothing to do.
    assert_eq!(
        tools.seen("durabilities"),
        "relaxed,strict,strict,relaxed,strict"
    );
}

#[wasm_bindgen_test]
async fn one_small_write_touches_only_the_pages_it_changed() {
    let tools = tools();
    let mut engine = open("small").await;
    run(
        &mut engine,
        r#"{"createIndexes":"herbs","$db":"garden","indexes":[{"key":{"tag":1},"name":"tag_1"}]}"#,
    );
    for part in 0..4 {
        run(&mut engine, &insert(part * 5000, part * 5000 + 5000, ""));
    }
    saved(&engine).await;
    let pages = status(&engine, "pageBytes").as_f64().unwrap_or(0.0) / PAGE_SIZE as f64;
    assert!(pages > 300.0, "{pages} pages are no large deployment");
    tools.watch();
    run(
        &mut engine,
        r#"{"update":"herbs","$db":"garden","updates":[{"q":{"_id":7777},"u":{"$set":{"text":"short"}}}]}"#,
    );
    saved(&engine).await;
    tools.restore();
    let record = tools
        .read(
            "small",
            "meta",
            status(&engine, "sequence").as_f64().unwrap_or(0.0),
        )
        .await;
    let changed = record
        .expect("the store is there")
        .unchecked_into::<Uint8Array>()
        .length() as usize
        / 8;
    assert_eq!(
        count(&tools, "puts"),
        changed,
        "each changed page is put once"
    );
    // Leaf, branch and root of the records, and the catalog's leaf; no index holds the field.
    assert!(changed <= 4, "{changed} pages");
    assert!(is_valid(&mut engine));
}

#[wasm_bindgen_test]
async fn values_are_copies_of_pages() {
    let tools = tools();
    let mut engine = open("copies").await;
    run(&mut engine, &insert(0, 40_000, ""));
    saved(&engine).await;
    let block = BLOCK_PAGES as usize * PAGE_SIZE;
    for (store, most) in [("pages", PAGE_SIZE), ("blocks", block), ("meta", 65_536)] {
        let longest = tools.longest_buffer("copies", store).await;
        let longest = longest.expect("the store is there").as_f64();
        assert!(longest <= Some(most as f64), "{store}: {longest:?}");
        assert!(store != "blocks" || longest == Some(block as f64));
    }
}

#[wasm_bindgen_test]
async fn a_second_engine_takes_over_the_changed_pages() {
    let tools = tools();
    let (mut one, mut other) = (open("turns").await, open("turns").await);
    run(&mut one, &insert(0, 4000, ""));
    saved(&one).await;
    assert!(reloaded(&other).await);
    assert_eq!(counted(&mut other), "4000");
    // From here on each takes turns, and reads only the pages that the other changed.
    tools.watch();
    run(&mut other, &insert(4000, 4001, ""));
    saved(&other).await;
    assert!(reloaded(&one).await);
    assert!(!reloaded(&one).await, "nothing new");
    run(&mut one, &insert(4001, 4002, ""));
    saved(&one).await;
    assert!(reloaded(&other).await);
    tools.restore();
    assert_eq!(count(&tools, "scans"), 0);
    assert!(
        count(&tools, "pageReads") < 20,
        "{} pages were read",
        count(&tools, "pageReads")
    );
    for engine in [&mut one, &mut other] {
        assert_eq!(counted(engine), "4002");
        assert!(is_valid(engine));
    }
    // Too far behind for the record of changed pages: everything is read anew.
    for n in 5000..5070 {
        run(&mut one, &insert(n, n + 1, ""));
        saved(&one).await;
    }
    assert!(reloaded(&other).await);
    assert_eq!(counted(&mut other), "4072");
    resident(&other).await;
    assert!(is_valid(&mut other));
    run(&mut other, &insert(6000, 6001, ""));
    assert!(
        !reloaded(&other).await,
        "what is not saved is not read over"
    );
    saved(&other).await;
}

#[wasm_bindgen_test]
async fn a_late_writer_is_fenced_off() {
    let (mut one, mut other) = (open("fence").await, open("fence").await);
    run(&mut one, &insert(0, 10, ""));
    saved(&one).await;
    run(&mut other, &insert(100, 105, ""));
    let failure = flushed(&other, false)
        .await
        .expect_err("the other wrote in between");
    assert!(failure.contains("another tab"), "{failure}");
    refuses_writes(&mut other, 5, "displaced", "another tab");
    run(&mut one, &insert(10, 20, ""));
    saved(&one).await;
    assert_eq!(counted(&mut open("fence").await), "20");
}

/// Stores a value as both copies of the header.
async fn put_headers(tools: &Tools, name: &str, value: &JsValue) {
    for key in HEADER_KEYS {
        let put = tools.write(name, "meta", key, value).await;
        put.expect("the store is there");
    }
}

#[wasm_bindgen_test]
async fn pages_without_a_header_are_no_new_deployment() {
    let tools = tools();
    let mut engine = open("bare").await;
    run(&mut engine, &insert(0, 10, ""));
    saved(&engine).await;
    let header = tools
        .read("bare", "meta", 0.0)
        .await
        .expect("the store is there");
    // One copy is enough, and the next commit mends the other.
    for key in HEADER_KEYS {
        let lost = tools.write("bare", "meta", key, &JsValue::UNDEFINED).await;
        lost.expect("the store is there");
        assert_eq!(counted(&mut open("bare").await), "10");
        let put = tools.write("bare", "meta", key, &header).await;
        put.expect("the store is there");
    }
    put_headers(&tools, "bare", &JsValue::UNDEFINED).await;
    let refusal = refused("bare").await;
    assert!(refusal.contains("header is missing"), "{refusal}");
    // Nor does the page that is open write over them.
    run(&mut engine, &insert(10, 20, ""));
    let failure = flushed(&engine, false)
        .await
        .expect_err("the header is missing");
    assert!(failure.contains("header is missing"), "{failure}");
    is_read_only(&mut engine, 20, "header is missing");
    let remains = QuireEngine::open_damaged("bare".to_owned(), host(), false).await;
    let mut remains = remains.unwrap_or_else(|error| panic!("salvage: {}", text(&error)));
    assert_eq!(counted(&mut remains), "10");
    let told = run(&mut remains, r#"{"quireSalvage":1,"$db":"admin"}"#);
    assert!(told.contains(r#""lost":["the header"]"#), "{told}");
    put_headers(&tools, "bare", &header).await;
    assert_eq!(counted(&mut open("bare").await), "10");
    // A repair is written over pages without a header, and is a deployment that goes on.
    put_headers(&tools, "bare", &JsValue::UNDEFINED).await;
    let repaired = QuireEngine::open_damaged("bare".to_owned(), host(), true).await;
    drop(repaired.unwrap_or_else(|error| panic!("repair: {}", text(&error))));
    let mut engine = open("bare").await;
    assert_eq!(counted(&mut engine), "10");
    run(&mut engine, &insert(10, 20, ""));
    saved(&engine).await;
    assert_eq!(counted(&mut open("bare").await), "20");
}

#[wasm_bindgen_test]
async fn a_cursor_goes_on_when_another_tab_has_written() {
    plant("past").await;
    // The reader has read little when the other writes; the pages that it needs are read before it moves on.
    let (mut reader, mut writer) = (open_cold("past").await, open("past").await);
    let find = r#"{"find":"herbs","projection":{"_id":1},"batchSize":2,"$db":"garden"}"#;
    let (reply, _) = run_cold(&mut reader, find).await;
    let id = reply.split(r#""id":{"$numberLong":""#).nth(1);
    let id = id.and_then(|rest| rest.split('"').next()).expect("an id");
    run(&mut writer, &insert(50_000, 50_010, ""));
    saved(&writer).await;
    assert!(reloaded(&reader).await);
    let more = format!(
        r#"{{"getMore":{{"$numberLong":"{id}"}},"collection":"herbs","batchSize":3,"$db":"garden"}}"#
    );
    let (reply, _) = run_cold(&mut reader, &more).await;
    assert!(reply.contains(r#""nextBatch":[{"_id":"#), "{reply}");
}

#[wasm_bindgen_test]
async fn an_unknown_format_is_refused() {
    let tools = tools();
    let mut engine = open("format").await;
    run(&mut engine, &insert(0, 10, ""));
    saved(&engine).await;
    drop(engine);
    let header: Uint8Array = tools
        .read("format", "meta", 0.0)
        .await
        .expect("the store is there")
        .unchecked_into();
    header.set_index(8, 99);
    put_headers(&tools, "format", &header).await;
    let refusal = refused("format").await;
    assert!(refusal.contains("format version 99"), "{refusal}");
    assert!(refusal.contains(&FORMAT_VERSION.to_string()), "{refusal}");
    // The refused deployment was left as it is.
    header.set_index(8, FORMAT_VERSION as u8);
    put_headers(&tools, "format", &header).await;
    assert_eq!(counted(&mut open("format").await), "10");
}

#[wasm_bindgen_test]
async fn a_damaged_page_is_named() {
    let tools = tools();
    let mut engine = open("damage").await;
    run(&mut engine, &insert(0, 2000, ""));
    saved(&engine).await;
    let whole = run(
        &mut engine,
        r#"{"find":"herbs","batchSize":3000,"$db":"garden"}"#,
    );
    drop(engine);
    let mut named = 0;
    // Each page of its own, and each within the record of a block.
    let mut places = Vec::new();
    for store in ["pages", "blocks"] {
        let keys = tools.keys("damage", store).await;
        let keys = Array::from(&keys.expect("the store is there"));
        assert!(keys.length() > 0, "nothing in {store}");
        for key in keys.iter().filter_map(|key| key.as_f64()) {
            let record = tools.read("damage", store, key).await;
            let record: Uint8Array = record.expect("the store is there").unchecked_into();
            let starts = (0..record.length()).step_by(PAGE_SIZE);
            places.extend(starts.map(|start| (store, key, start)));
        }
    }
    for (store, key, start) in &places {
        let (store, key, flipped) = (*store, *key, start + 9000);
        let page: Uint8Array = tools
            .read("damage", store, key)
            .await
            .expect("the store is there")
            .unchecked_into();
        // All numbers are below 256.
        let number = page.get_index(start + 8);
        let byte = page.get_index(flipped);
        page.set_index(flipped, byte ^ 0x40);
        tools
            .write("damage", store, key, &page)
            .await
            .expect("the store is there");
        let said = match QuireEngine::open_indexed_db("damage".to_owned(), host()).await {
            Ok(mut engine) => {
                resident(&engine).await;
                let found = engine.run_json(r#"{"find":"herbs","batchSize":3000,"$db":"garden"}"#);
                assert!(
                    found == whole || found.contains("page"),
                    "a wrong answer: {found}"
                );
                found
                    + &engine.run_json(r#"{"find":"herbs","filter":{"_id":300},"$db":"garden"}"#)
                    + &engine.run_json(r#"{"validate":"herbs","$db":"garden"}"#)
            }
            Err(error) => text(&error),
        };
        named += usize::from(said.contains(&format!("page {number} is corrupt: checksum")));
        page.set_index(flipped, byte);
        tools
            .write("damage", store, key, &page)
            .await
            .expect("the store is there");
    }
    assert_eq!(named, places.len(), "every page is used by something");
    let mut engine = open("damage").await;
    assert!(is_valid(&mut engine));
}

#[wasm_bindgen_test]
async fn without_room_it_is_read_only_and_reads() {
    let tools = tools();
    let mut engine = open("quota").await;
    run(&mut engine, &insert(0, 10, ""));
    saved(&engine).await;
    tools.fill();
    run(&mut engine, &insert(10, 20, ""));
    let failure = flushed(&engine, false).await.expect_err("there is no room");
    tools.restore();
    assert!(failure.contains("storage"), "{failure}");
    refuses_writes(&mut engine, 20, "full", "no more storage");
    assert!(engine.has_unsaved());
    assert_eq!(
        counted(&mut open("quota").await),
        "10",
        "nothing of the batch was stored"
    );
}

#[wasm_bindgen_test]
async fn an_aborted_commit_is_tried_again_for_a_while() {
    let tools = tools();
    let mut engine = open("abort").await;
    tools.abort_commits(2);
    run(&mut engine, &insert(0, 10, ""));
    saved(&engine).await;
    tools.restore();
    assert_eq!(counted(&mut open("abort").await), "10");
    tools.abort_commits(1000);
    run(&mut engine, &insert(10, 20, ""));
    flushed(&engine, false)
        .await
        .expect_err("every commit is aborted");
    tools.restore();
    is_read_only(&mut engine, 20, "storage");
    assert_eq!(counted(&mut open("abort").await), "10");
}

#[wasm_bindgen_test]
async fn a_connection_that_died_is_opened_again() {
    let tools = tools();
    let mut engine = open("connection").await;
    run(&mut engine, &insert(0, 10, ""));
    saved(&engine).await;
    tools.close_next_connection();
    run(&mut engine, &insert(10, 20, ""));
    saved(&engine).await;
    tools.restore();
    tools.close_next_connection();
    assert!(!reloaded(&engine).await);
    tools.restore();
    assert_eq!(counted(&mut open("connection").await), "20");
}

#[wasm_bindgen_test]
async fn data_deleted_underneath_stay_readable() {
    let tools = tools();
    let (mut one, mut other) = (open("deleted").await, open("deleted").await);
    run(&mut one, &insert(0, 10, ""));
    saved(&one).await;
    assert!(reloaded(&other).await);
    tools
        .delete("deleted")
        .await
        .expect("nobody blocks a deletion");
    run(&mut one, &insert(10, 20, ""));
    flushed(&one, false).await.expect_err("the store is gone");
    is_read_only(&mut one, 20, "deleted");
    assert!(reloaded(&other).await);
    is_read_only(&mut other, 10, "deleted");
    assert_eq!(counted(&mut open("deleted").await), "0");

    // Another deployment of the same name is not taken for ours, even at the same sequence.
    let mut two = open("replaced").await;
    run(&mut two, &insert(0, 10, ""));
    saved(&two).await;
    tools
        .delete("replaced")
        .await
        .expect("nobody blocks a deletion");
    let mut three = open("replaced").await;
    run(&mut three, &insert(5, 15, ""));
    saved(&three).await;
    assert_eq!(status(&two, "sequence"), status(&three, "sequence"));
    run(&mut two, &insert(10, 20, ""));
    flushed(&two, false)
        .await
        .expect_err("it is another deployment");
    is_read_only(&mut two, 20, "replaced");
    assert_eq!(counted(&mut open("replaced").await), "10");
}

const HERBS: u32 = 20_000;
const BY_ID: &str = r#"{"find":"herbs","filter":{"_id":7777},"$db":"garden"}"#;

/// A deployment of several MiB with an index; how many pages it has.
async fn plant(name: &str) -> u32 {
    let mut engine = open(name).await;
    run(
        &mut engine,
        r#"{"createIndexes":"herbs","$db":"garden","indexes":[{"key":{"tag":1},"name":"tag_1"}]}"#,
    );
    for from in (0..HERBS).step_by(5000) {
        run(&mut engine, &insert(from, from + 5000, ""));
    }
    saved(&engine).await;
    let pages = status(&engine, "pageBytes").as_f64().unwrap_or(0.0) as u32 / PAGE_SIZE as u32;
    assert!(pages > 300, "{pages} pages are no large deployment");
    pages
}
