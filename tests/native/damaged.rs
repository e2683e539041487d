//! Damage: every record of a small store is lost and flipped, one at a time.
//!
//! Invariant: nothing panics; all that is not on the damaged page stays readable; `validate` says what is concerned, and with
//! `repair` mends it, dropping no more than what the page held.

use crate::support::stored::{commit, done, garden, host, insert, open, run};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{HEADER_COPIES, MemoryDevice, PageDevice, PageNumber};

const COLLECTIONS: [&str; 3] = ["herbs", "trees", "log"];

/// The store with one page gone, or with one bit of it flipped.
fn damaged(store: &MemoryDevice, victim: PageNumber, is_lost: bool) -> MemoryDevice {
    let device = store.copy();
    if is_lost {
        device.remove_page(victim);
    } else {
        let mut bytes = store.page(victim).expect("the page is there");
        let at = (victim as usize * 977) % bytes.len();
        bytes[at] ^= 1 << (victim % 8);
        device.put_page(victim, &bytes);
    }
    device
}

fn validate(engine: &mut Engine, env: &NativeEnv, name: &str, repair: bool) -> String {
    let command = format!(r#"{{"validate":"{name}","$db":"garden","repair":{repair}}}"#);
    done(engine, env, &command)
}

/// The number behind a name in a reply.
fn number_of(reply: &str, name: &str) -> u64 {
    let digits = reply.split(&format!(r#""{name}":"#)).nth(1);
    let digits = digits.and_then(|rest| rest.split([',', '}']).next());
    digits
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_else(|| panic!("no {name} in {reply}"))
}

#[test]
fn repair_mends_around_every_damaged_page() {
    let env = host();
    let store = MemoryDevice::new();
    garden(&env, &store);
    for is_lost in [true, false] {
        let mut lost = [0; 3];
        let mut refused = 0;
        let mut invalid = 0;
        for victim in store.page_numbers() {
            let device = damaged(&store, victim, is_lost);
            let problem = if is_lost {
                "it is not stored"
            } else {
                "checksum mismatch"
            };
            let mut engine = match open(&device, &env) {
                Ok(engine) => engine,
                Err(said) => {
                    // A page of the catalog: the deployment is not opened, and what is stored stays.
                    assert!(
                        said.contains(&format!("page {victim} is corrupt: {problem}")),
                        "{said}"
                    );
                    refused += 1;
                    continue;
                }
            };
            let mut is_found = false;
            for (at, name) in COLLECTIONS.into_iter().enumerate() {
                let before = number_of(
                    &done(
                        &mut engine,
                        &env,
                        &format!(r#"{{"count":"{name}","$db":"garden"}}"#),
                    ),
                    "n",
                );
                let report = validate(&mut engine, &env, name, false);
                if report.contains(r#""valid":false"#) {
                    assert!(
                        report.contains(&format!("page {victim}")),
                        "{victim} {report}"
                    );
                    is_found = true;
                }
                let report = validate(&mut engine, &env, name, true);
                assert!(
                    report.contains(r#""valid":true"#),
                    "{victim} {name} {report}"
                );
                assert!(
                    validate(&mut engine, &env, name, false).contains(r#""repaired":false"#),
                    "once is enough"
                );
                let after = number_of(&report, "nrecords");
                lost[at] += before - after;
            }
            invalid += u32::from(is_found);
            // What is left is found by its _id, and what was lost can be written again.
            let found = done(
                &mut engine,
                &env,
                r#"{"find":"herbs","$db":"garden","batchSize":2000,"projection":{"_id":1}}"#,
            );
            for number in (0..250).step_by(7) {
                let is_there = found.contains(&format!(r#"{{"_id":{number}}}"#));
                let one = format!(
                    r#"{{"find":"herbs","$db":"garden","filter":{{"_id":{number}}},"projection":{{"_id":1}}}}"#
                );
                let one = done(&mut engine, &env, &one);
                assert_eq!(one.contains(&format!(r#"{{"_id":{number}}}"#)), is_there);
            }
            run(&mut engine, &env, &insert("herbs", 0, 400));
            commit(&mut engine, &device);
            let mut reopened = open(&device, &env).expect("it was repaired");
            for name in COLLECTIONS {
                let report = validate(&mut reopened, &env, name, false);
                assert!(
                    report.contains(r#""valid":true"#),
                    "{victim} {name} {report}"
                );
            }
        }
        // Each leaf loses its own documents, every page of the one large document loses that, and nothing else is lost.
        let expected = match is_lost {
            true => [250, 41 + 2, 2],
            false => lost,
        };
        assert_eq!(lost, expected);
        assert!(invalid > 10 && refused >= 1, "{invalid} {refused}");
    }
}

#[test]
fn validate_names_the_documents_of_a_lost_leaf() {
    let env = host();
    let store = MemoryDevice::new();
    garden(&env, &store);
    let mut named = 0;
    for victim in store.page_numbers() {
        let device = damaged(&store, victim, true);
        let Ok(mut engine) = open(&device, &env) else {
            continue;
        };
        let report = validate(&mut engine, &env, "herbs", false);
        let records: Vec<&str> = report.matches(r#""indexName":"_id_""#).collect();
        if report.contains("and with it") && !records.is_empty() {
            assert!(report.contains(r#""extraIndexEntries":[{"indexName":"_id_","recordId":"#));
            assert!(report.contains(r#""indexKey":{"_id":"#), "{report}");
            named += 1;
        }
        // A read that meets the page says so; one that does not is answered.
        let said = run(
            &mut engine,
            &env,
            r#"{"find":"herbs","$db":"garden","batchSize":2000}"#,
        );
        assert!(
            said.contains(r#""ok":1"#)
                || said.contains(&format!("page {victim} is corrupt"))
                    && said.contains("DataCorruptionDetected"),
            "{said}"
        );
    }
    assert!(named >= 2, "{named}");
}

/// What is left of a store, opened for salvage, and what it says was lost.
fn salvaged(device: &MemoryDevice, env: &NativeEnv) -> (Engine, String) {
    let header = block_on(device.read_header()).ok().flatten();
    let pages = block_on(device.read_pages(1, 10_000)).expect("memory can be read");
    let mut engine = Engine::salvage(header.as_deref(), pages, env).expect("memory can be had");
    let told = done(&mut engine, env, r#"{"quireSalvage":1,"$db":"admin"}"#);
    (engine, told)
}

fn count(engine: &mut Engine, env: &NativeEnv, name: &str) -> u64 {
    let (database, name) = name.split_once('.').expect("a namespace");
    let reply = done(
        engine,
        env,
        &format!(r#"{{"count":"{name}","$db":"{database}"}}"#),
    );
    number_of(&reply, "n")
}

#[test]
fn salvage_reads_all_that_one_lost_page_leaves() {
    let env = host();
    let store = MemoryDevice::new();
    let mut whole = garden(&env, &store);
    let names = ["garden.herbs", "garden.trees", "garden.log"];
    let stored = names.map(|name| count(&mut whole, &env, name));
    let mut lost = [0; 3];
    let mut unnamed = 0;
    for victim in store.page_numbers() {
        let device = damaged(&store, victim, true);
        let (mut engine, told) = salvaged(&device, &env);
        let refused = run(&mut engine, &env, &insert("herbs", 900, 901));
        assert!(refused.contains("read-only"), "{refused}");
        if told.contains(r#""ns":"lost.collection_1""#) {
            // The catalog's leaf is lost: what was in it has other names now.
            unnamed += 1;
            let all = (1..=3).map(|number| format!("lost.collection_{number}"));
            let all: u64 = all.map(|name| count(&mut engine, &env, &name)).sum();
            assert_eq!(all, stored.iter().sum());
            continue;
        }
        for (at, name) in names.into_iter().enumerate() {
            let left = count(&mut engine, &env, name);
            lost[at] += stored[at] - left;
            assert_eq!(
                left < stored[at],
                told.contains(&format!("page {victim} "))
                    && told.contains(&format!(
                        r#""ns":"{name}","documents":{left},"recovered":0,"lost":["page"#
                    )),
                "{told}"
            );
            let (database, short) = name.split_once('.').expect("a namespace");
            let report = done(
                &mut engine,
                &env,
                &format!(r#"{{"validate":"{short}","$db":"{database}"}}"#),
            );
            assert!(
                report.contains(r#""corruptRecords":[]"#)
                    && report.contains(r#""missingIndexEntries":[]"#),
                "{report}"
            );
        }
    }
    assert_eq!((lost, unnamed), ([250, 41 + 2, 2], 1));
}

#[test]
fn salvage_needs_neither_header_nor_catalog_root() {
    let env = host();
    let store = MemoryDevice::new();
    let mut whole = garden(&env, &store);
    for number in 0..200 {
        let command = format!(
            r#"{{"insert":"collection {number:04}","$db":"many","documents":[{{"_id":{number}}}]}}"#
        );
        done(&mut whole, &env, &command);
    }
    commit(&mut whole, &store);
    let names = [
        "garden.herbs",
        "garden.trees",
        "garden.log",
        "many.collection 0000",
        "many.collection 0199",
    ];
    let stored = names.map(|name| count(&mut whole, &env, name));
    let holds_all = |device: &MemoryDevice, said: &str| {
        let (mut engine, told) = salvaged(device, &env);
        assert!(told.contains(said), "{told}");
        assert_eq!(
            names.map(|name| count(&mut engine, &env, name)),
            stored,
            "{told}"
        );
        let found = done(
            &mut engine,
            &env,
            r#"{"find":"herbs","$db":"garden","filter":{"name":"herb 00077"},"hint":"name_1"}"#,
        );
        assert!(found.contains("\"_id\":77"), "{found}");
        let views = done(&mut engine, &env, r#"{"count":"wild","$db":"garden"}"#);
        assert_eq!(number_of(&views, "n"), 84);
        assert!(!told.contains("lost.collection_"), "{told}");
    };
    holds_all(&store, r#""lost":[],"collections""#);
    let bare = store.copy();
    for copy in 0..HEADER_COPIES {
        bare.put_header(copy, None);
    }
    assert!(open(&bare, &env).is_err_and(|said| said.contains("header is missing")));
    holds_all(&bare, r#""lost":["the header"]"#);
    let rooted = store.copy();
    let root = whole.pager().catalog_root();
    assert!(root.height() > 1, "the catalog has a branch page");
    let page = u64::from_le_bytes(root.encode()[..8].try_into().expect("eight bytes"));
    rooted.remove_page(page);
    assert!(open(&rooted, &env).is_err_and(|said| said.contains(&format!("page {page} "))));
    holds_all(&rooted, &format!(r#""lost":["page {page} of the catalog"#));
}
