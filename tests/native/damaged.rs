//! Damage: every record of a small store is lost and flipped, one at a time.
//!
//! Invariant: nothing panics; all that is not on the damaged page stays readable; `validate` names the collections and
//! indexes concerned, and with `repair` mends them, dropping no more than the page's own entries.

use crate::support::stored::{commit, done, first_batch, garden, host, insert, number, open};
use bson::{Bson, Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{Durability, HEADER_COPIES, MemoryDevice, PageDevice, PageNumber};

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

fn validate(engine: &mut Engine, env: &NativeEnv, name: &str, repair: bool) -> Document {
    done(
        engine,
        env,
        &doc! { "validate": name, "$db": "garden", "repair": repair },
    )
}

fn is_valid(report: &Document) -> bool {
    report.get_bool("valid").expect("it says whether")
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
                    // A page of the catalog: the deployment is not opened, and the store is left as it is.
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
                let before = count(&mut engine, &env, &format!("garden.{name}"));
                let report = validate(&mut engine, &env, name, false);
                if !is_valid(&report) {
                    let said = report.to_string();
                    assert!(said.contains(&format!("page {victim}")), "{victim} {said}");
                    is_found = true;
                }
                let report = validate(&mut engine, &env, name, true);
                assert!(is_valid(&report), "{victim} {name} {report}");
                let again = validate(&mut engine, &env, name, false);
                assert_eq!(
                    again.get_bool("repaired").ok(),
                    Some(false),
                    "once is enough"
                );
                let after = number(&report, "nrecords");
                lost[at] += before - after;
            }
            invalid += u32::from(is_found);
            // Documents that are left are found by their _id, and lost ones can be written again.
            let found = done(
                &mut engine,
                &env,
                &doc! {"find":"herbs","$db":"garden","batchSize":2000,"projection":{"_id":1}},
            );
            let found = first_batch(&found);
            for id in (0..250).step_by(7) {
                let wanted = Bson::Document(doc! { "_id": id });
                let one = doc! { "find": "herbs", "$db": "garden", "filter": { "_id": id }, "projection": { "_id": 1 } };
                let one = done(&mut engine, &env, &one);
                assert_eq!(first_batch(&one).contains(&wanted), found.contains(&wanted));
            }
            done(&mut engine, &env, &insert("herbs", 0, 400));
            commit(&mut engine, &device);
            let mut reopened = open(&device, &env).expect("it was repaired");
            for name in COLLECTIONS {
                let report = validate(&mut reopened, &env, name, false);
                assert!(is_valid(&report), "{victim} {name} {report}");
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
        let extra = report.get_array("extraIndexEntries").expect("entries");
        let mut extra = extra.iter().filter_map(Bson::as_document).peekable();
        if report.to_string().contains("and with it") && extra.peek().is_some() {
            let first = extra.find(|entry| entry.get_str("indexName").ok() == Some("_id_"));
            let key = first.and_then(|entry| entry.get_document("indexKey").ok());
            assert!(key.is_some_and(|key| key.contains_key("_id")), "{report}");
            named += 1;
        }
        // A read that meets the page says so; one that does not is answered.
        let find = doc! { "find": "herbs", "$db": "garden", "batchSize": 2000 };
        if let Err(said) = engine.run_command(&find, &env) {
            assert_eq!(said.code_name(), "DataCorruptionDetected");
            let page = format!("page {victim} is corrupt");
            assert!(said.message.contains(&page), "{said}");
        }
    }
    assert!(named >= 2, "{named}");
}

/// The rest of a store, opened for salvage, and its report.
fn salvaged(device: &MemoryDevice, env: &NativeEnv) -> (Engine, Document) {
    let header = block_on(device.read_header()).ok().flatten();
    let pages = block_on(device.read_pages(1, 10_000)).expect("memory can be read");
    let mut engine = Engine::salvage(header.as_deref(), pages, env).expect("memory can be had");
    let told = done(&mut engine, env, &doc! {"quireSalvage":1,"$db":"admin"});
    (engine, told)
}

/// The losses of the catalog in a report.
fn lost(told: &Document) -> Vec<&str> {
    let lost = told.get_array("lost").expect("a list");
    lost.iter().filter_map(Bson::as_str).collect()
}

/// The report on a collection: documents that are left, those of them that were recovered, and the losses.
fn lost_of<'t>(told: &'t Document, name: &str) -> Option<(i64, i64, Vec<&'t str>)> {
    let collections = told.get_array("collections").expect("a list");
    let mut collections = collections.iter().filter_map(Bson::as_document);
    let one = collections.find(|one| one.get_str("ns").ok() == Some(name))?;
    Some((
        number(one, "documents"),
        number(one, "recovered"),
        lost(one),
    ))
}

fn count(engine: &mut Engine, env: &NativeEnv, name: &str) -> i64 {
    let (database, name) = name.split_once('.').expect("a namespace");
    let reply = done(engine, env, &doc! { "count": name, "$db": database });
    number(&reply, "n")
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
        let refused = engine.run_command(&insert("herbs", 900, 901), &env);
        let refused = refused.expect_err("it only reads");
        assert!(refused.message.contains("read-only"), "{refused}");
        if lost_of(&told, "lost.collection_1").is_some() {
            // The catalog's leaf is lost: its collections have other names now.
            unnamed += 1;
            let all = (1..=3).map(|number| format!("lost.collection_{number}"));
            let all: i64 = all.map(|name| count(&mut engine, &env, &name)).sum();
            assert_eq!(all, stored.iter().sum::<i64>());
            continue;
        }
        for (at, name) in names.into_iter().enumerate() {
            let left = count(&mut engine, &env, name);
            lost[at] += stored[at] - left;
            let (documents, recovered, what) = lost_of(&told, name).expect("it is named");
            let page = format!("page {victim} ");
            let is_told = (documents, recovered) == (left, 0)
                && what.first().is_some_and(|what| what.starts_with(&page));
            assert_eq!(left < stored[at], is_told, "{told}");
            let (database, short) = name.split_once('.').expect("a namespace");
            let report = done(
                &mut engine,
                &env,
                &doc! { "validate": short, "$db": database },
            );
            for list in ["corruptRecords", "missingIndexEntries"] {
                assert_eq!(report.get_array(list).ok(), Some(&Vec::new()), "{report}");
            }
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
        let name = format!("collection {number:04}");
        let insert = doc! { "insert": name, "$db": "many", "documents": [{ "_id": number }] };
        done(&mut whole, &env, &insert);
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
    let holds_all = |device: &MemoryDevice, said: Option<&str>| {
        let (mut engine, told) = salvaged(device, &env);
        let lost = lost(&told);
        assert_eq!(lost.len(), usize::from(said.is_some()), "{told}");
        assert!(
            lost.iter()
                .zip(said)
                .all(|(lost, said)| lost.starts_with(said)),
            "{told}"
        );
        assert_eq!(
            names.map(|name| count(&mut engine, &env, name)),
            stored,
            "{told}"
        );
        let filter = doc! { "name": "herb 00077" };
        let find = doc! { "find": "herbs", "$db": "garden", "filter": filter, "hint": "name_1" };
        let found = done(&mut engine, &env, &find);
        let found = first_batch(&found)[0].as_document().expect("a document");
        assert_eq!(number(found, "_id"), 77);
        assert_eq!(count(&mut engine, &env, "garden.wild"), 84);
        assert!(!told.to_string().contains("lost.collection_"), "{told}");
    };
    holds_all(&store, None);
    let bare = store.copy();
    for copy in 0..HEADER_COPIES {
        bare.put_header(copy, None);
    }
    assert!(open(&bare, &env).is_err_and(|said| said.contains("header is missing")));
    holds_all(&bare, Some("the header"));
    let rooted = store.copy();
    let root = whole.pager().catalog_root();
    assert!(root.height() > 1, "the catalog has a branch page");
    let page = root.root();
    rooted.remove_page(page);
    assert!(open(&rooted, &env).is_err_and(|said| said.contains(&format!("page {page} "))));
    let page = format!("page {page} of the catalog");
    holds_all(&rooted, Some(&page));
}

/// The answers that need pages of each kind, or why there is none.
fn answers(engine: &mut Engine, env: &NativeEnv) -> Vec<Result<Document, String>> {
    let mut find = |collection: &str, hint: Document| {
        let find = doc! { "find": collection, "$db": "garden", "batchSize": 2000, "hint": hint };
        engine.run_command(&find, env).map_err(|said| {
            assert_eq!(said.code_name(), "DataCorruptionDetected", "{said}");
            said.to_string()
        })
    };
    [
        ("herbs", doc! { "_id": 1 }),
        ("herbs", doc! { "name": 1 }),
        ("herbs", doc! { "tags": 1, "bed.row": -1 }),
        ("trees", doc! { "$natural": 1 }),
        ("trees", doc! { "text": 1 }),
        ("log", doc! { "$natural": 1 }),
    ]
    .map(|(collection, hint)| find(collection, hint))
    .to_vec()
}

/// Puts a page of another state, or of another deployment, in the place of a page: nothing is read from it, and repair
/// mends what it can. Gives whether the deployment could be opened and the page was noticed.
fn stands_a_page_in_anothers_place(
    env: &NativeEnv,
    store: &MemoryDevice,
    (victim, bytes): (PageNumber, &[u8]),
    truth: &[Result<Document, String>],
) -> (bool, bool) {
    let device = store.copy();
    device.put_page(victim, bytes);
    let page = format!("page {victim}");
    let mut engine = match open(&device, env) {
        Ok(engine) => engine,
        Err(said) => {
            assert!(said.contains(&page), "{said}");
            return (false, true);
        }
    };
    let mut is_noticed = false;
    for (found, truth) in answers(&mut engine, env).into_iter().zip(truth) {
        match found {
            Ok(found) => assert_eq!(Ok(&found), truth.as_ref(), "{page}"),
            Err(said) => {
                assert!(said.contains(&page), "{said}");
                is_noticed = true;
            }
        }
    }
    for name in COLLECTIONS {
        let report = validate(&mut engine, env, name, false);
        if !is_valid(&report) {
            assert!(report.to_string().contains(&page), "{victim} {report}");
            is_noticed = true;
        }
        let report = validate(&mut engine, env, name, true);
        assert!(is_valid(&report), "{victim} {name} {report}");
    }
    commit(&mut engine, &device);
    let mut reopened = open(&device, env).expect("it was repaired");
    for name in COLLECTIONS {
        let report = validate(&mut reopened, env, name, false);
        assert!(is_valid(&report), "{victim} {name} {report}");
    }
    (true, is_noticed)
}

#[test]
fn an_older_page_is_an_error_that_names_it_and_never_an_answer() {
    let env = host();
    let store = MemoryDevice::new();
    let mut engine = garden(&env, &store);
    let mut states = Vec::new();
    for round in 0..6 {
        states.push(store.copy());
        let update = doc! { "q": { "_id": { "$mod": [4, round % 4] } }, "u": { "$set": { "bed.row": round, "name": format!("round {round}") } } };
        let text = format!("round {round} ").repeat(2500);
        for command in [
            doc! { "update": "herbs", "$db": "garden", "updates": [update] },
            doc! { "update": "trees", "$db": "garden", "updates": [{ "q": { "_id": "long" }, "u": { "$set": { "text": text } } }] },
            doc! { "insert": "log", "$db": "garden", "documents": [{ "_id": 10 + round, "said": "watered" }] },
        ] {
            done(&mut engine, &env, &command);
        }
        commit(&mut engine, &store);
    }
    let truth = answers(&mut engine, &env);
    assert!(truth.iter().all(Result::is_ok));
    let (mut refused, mut noticed) = (0, 0);
    for victim in store.page_numbers() {
        let now = store.page(victim);
        let mut older: Vec<_> = states.iter().map(|state| state.page(victim)).collect();
        older.dedup();
        for bytes in older.iter().filter(|bytes| **bytes != now).flatten() {
            let page = (victim, &bytes[..]);
            let (is_open, is_noticed) = stands_a_page_in_anothers_place(&env, &store, page, &truth);
            refused += u32::from(!is_open);
            noticed += u32::from(is_open && is_noticed);
        }
    }
    assert!(refused > 1 && noticed > 20, "{refused} {noticed}");
}

#[test]
fn a_page_of_another_deployment_is_an_error_that_names_it() {
    let (env, other) = (host(), NativeEnv::fixed(1_767_225_600_000, 8));
    let (store, elsewhere) = (MemoryDevice::new(), MemoryDevice::new());
    let mut engine = garden(&env, &store);
    garden(&other, &elsewhere);
    let truth = answers(&mut engine, &env);
    let (mut refused, mut noticed) = (0, 0);
    for victim in store.page_numbers() {
        let Some(bytes) = elsewhere.page(victim) else {
            continue;
        };
        assert_ne!(store.page(victim).as_ref(), Some(&bytes));
        let page = (victim, &bytes[..]);
        let (is_open, is_noticed) = stands_a_page_in_anothers_place(&env, &store, page, &truth);
        refused += u32::from(!is_open);
        noticed += u32::from(is_open && is_noticed);
        let device = store.copy();
        device.put_page(victim, &bytes);
        for has_header in [true, false] {
            if !has_header {
                (0..HEADER_COPIES).for_each(|copy| device.put_header(copy, None));
            }
            // These documents are ours: the other garden's collections have other UUIDs, and its documents are twins.
            let (mut engine, told) = salvaged(&device, &env);
            if let Some((documents, _, lost)) = lost_of(&told, "garden.herbs") {
                let is_told = documents == 250 || !lost.is_empty();
                assert!(documents <= 250 && is_told, "{victim} {told}");
                assert_eq!(count(&mut engine, &env, "garden.herbs"), documents);
            }
        }
    }
    assert!(refused >= 1 && noticed > 10, "{refused} {noticed}");
}

#[test]
fn a_repair_puts_what_is_left_in_the_place_of_a_store_that_cannot_be_opened() {
    let env = host();
    let store = MemoryDevice::new();
    let mut whole = garden(&env, &store);
    // Nothing is written where nothing was lost.
    let (mut engine, _) = salvaged(&store, &env);
    assert!(engine.take_repair().expect("it is sound").is_none());
    let bare = store.copy();
    (0..HEADER_COPIES).for_each(|copy| bare.put_header(copy, None));
    let flipped = store.copy();
    let mut header = store.header_copy(0).expect("it is stored");
    header[30] ^= 1;
    (0..HEADER_COPIES).for_each(|copy| flipped.put_header(copy, Some(&header)));
    let root = whole.pager().catalog_root().root();
    let rootless = damaged(&store, root, true);
    let stored: i64 = ["garden.herbs", "garden.trees", "garden.log"]
        .map(|name| count(&mut whole, &env, name))
        .iter()
        .sum();
    for device in [bare, flipped, rootless] {
        assert!(open(&device, &env).is_err());
        let before = device.copy();
        let (mut engine, told) = salvaged(&device, &env);
        let batch = engine.take_repair().expect("memory can be had");
        let batch = batch.expect("something was lost");
        let has_header = block_on(device.read_header()).is_ok();
        assert_eq!(batch.over_damage, !has_header);
        // Another repair, or a write, came first: the fence holds.
        if has_header {
            let elsewhere = MemoryDevice::new();
            garden(&NativeEnv::fixed(1_767_225_600_000, 8), &elsewhere);
            assert!(block_on(elsewhere.write(&batch, Durability::Strict)).is_err());
        } else {
            assert!(block_on(store.write(&batch, Durability::Strict)).is_err());
        }
        for page in before.page_numbers() {
            assert_eq!(
                before.page(page),
                device.page(page),
                "the store is only read"
            );
        }
        block_on(device.write(&batch, Durability::Strict)).expect("it is over damage");
        let mut repaired = open(&device, &env).expect("it was repaired");
        let collections = told.get_array("collections").expect("a list");
        let mut found = 0;
        for one in collections.iter().filter_map(Bson::as_document) {
            let (database, name) = one
                .get_str("ns")
                .ok()
                .and_then(|name| name.split_once('.'))
                .expect("a namespace");
            if ["wild", "system.views"].contains(&name) {
                continue;
            }
            let validate = doc! { "validate": name, "full": true, "$db": database };
            assert!(is_valid(&done(&mut repaired, &env, &validate)));
            found += count(&mut repaired, &env, &format!("{database}.{name}"));
        }
        // Without a header a dropped collection may be among them.
        assert!(found >= stored, "{told}");
        done(&mut repaired, &env, &insert("herbs", 900, 950));
        commit(&mut repaired, &device);
        assert!(open(&device, &env).is_ok());
    }
}
