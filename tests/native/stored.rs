//! Deployments as earlier builds stored them: each must open unchanged in content, be sound, and go on.
//!
//! A file of `tests/stored/` is a store: the length of the header (8 bytes), the header, and of each page its number
//! (8), the length (2) and the bytes before its longest run of zeros, and the length (2) and the bytes behind it.
//! Invariant: a file is never made anew; a new format gets a new file (`QUIRE_STORE` set to a path
//! writes one).

use crate::support::stored::{
    commit, done, garden, holdings, host, insert, is_sound, number, open,
};
use bson::{Bson, Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::{FORMAT_VERSION, HEADER_COPIES, MemoryDevice, PAGE_SIZE};

/// The longest run of zeros: where it begins and ends.
fn longest_gap(page: &[u8]) -> (usize, usize) {
    let (mut best, mut start) = ((0, 0), 0);
    for at in 0..=page.len() {
        if page.get(at) != Some(&0) {
            if at - start > best.1 - best.0 {
                best = (start, at);
            }
            start = at + 1;
        }
    }
    best
}

fn packed(device: &MemoryDevice) -> Vec<u8> {
    let header = device.header_copy(0).expect("the store has a header");
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    for number in device.page_numbers() {
        let page = device.page(number).expect("the page is there");
        let (start, end) = longest_gap(&page);
        bytes.extend(number.to_le_bytes());
        for part in [&page[..start], &page[end..]] {
            bytes.extend((part.len() as u16).to_le_bytes());
            bytes.extend(part);
        }
    }
    bytes
}

/// The store of a file, whose only header is the first copy.
fn unpacked(bytes: &[u8]) -> MemoryDevice {
    let device = MemoryDevice::new();
    let mut rest = bytes;
    let mut take = |length: usize| {
        let (part, behind) = rest.split_at(length);
        rest = behind;
        (part.to_vec(), behind.is_empty())
    };
    let number = |bytes: Vec<u8>| {
        bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let length = number(take(8).0) as usize;
    device.put_header(0, Some(&take(length).0));
    loop {
        let page = number(take(8).0);
        let length = number(take(2).0) as usize;
        let mut content = take(length).0;
        let length = number(take(2).0) as usize;
        let (end, is_last) = take(length);
        content.resize(PAGE_SIZE - end.len(), 0);
        content.extend(end);
        device.put_page(page, &content);
        if is_last {
            return device;
        }
    }
}

/// The garden, with two moments: one of it as it is, one that has a collection more.
fn garden_with_moments(env: &NativeEnv, device: &MemoryDevice) -> Engine {
    let mut engine = garden(env, device);
    let mut done = |command: &Document| drop(self::done(&mut engine, env, command));
    done(&doc! { "quireMoment": 1, "name": "planted", "what": "all beds", "$db": "garden" });
    done(&insert("weeds", 0, 20));
    done(&doc! { "quireMoment": 1, "$db": "garden" });
    done(&doc! { "drop": "weeds", "$db": "garden" });
    commit(&mut engine, device);
    engine
}

/// A store, the version in its header, and how many pages an index without keys has in it.
type Store = (&'static [u8], u32, u64);

const STORES: [Store; 5] = [
    // Made by a build that kept one copy of the header.
    (include_bytes!("../stored/v1-one-header.bin"), 1, 0),
    (include_bytes!("../stored/v2.bin"), 2, 1),
    // These were made by `garden_with_moments`.
    (include_bytes!("../stored/v3.bin"), 3, 1),
    (include_bytes!("../stored/v4.bin"), 4, 1),
    (include_bytes!("../stored/v5.bin"), 5, 1),
];

fn version(header: Option<Vec<u8>>) -> Option<u32> {
    let header = header?;
    let bytes = header.get(8..12)?.try_into().ok()?;
    Some(u32::from_le_bytes(bytes))
}

#[test]
fn every_store_opens_unchanged_and_goes_on_in_this_format() {
    if let Ok(path) = std::env::var("QUIRE_STORE") {
        let device = MemoryDevice::new();
        garden_with_moments(&host(), &device);
        std::fs::write(path, packed(&device)).expect("the path can be written");
    }
    for store in STORES {
        opens_and_goes_on(store);
    }
}

/// The replies without the UUIDs of collections, which are random.
fn without_ids(mut replies: Vec<Document>) -> Vec<Document> {
    for reply in &mut replies {
        let cursor = reply.get_document_mut("cursor").expect("a cursor");
        let batch = cursor.get_array_mut("firstBatch").expect("a batch");
        for item in batch.iter_mut().filter_map(Bson::as_document_mut) {
            if let Ok(info) = item.get_document_mut("info") {
                info.remove("uuid");
            }
        }
    }
    replies
}

fn opens_and_goes_on((bytes, written_as, empty_pages): Store) {
    let device = unpacked(bytes);
    assert_eq!(version(device.header_copy(0)), Some(written_as));
    assert_eq!(device.header_copy(1), None);
    let env = host();
    let mut engine = open(&device, &env).expect("an earlier build's store opens");
    let mut expected = garden(&env, &MemoryDevice::new());
    let held = holdings(&mut engine, &env);
    assert_eq!(
        without_ids(held.clone()),
        without_ids(holdings(&mut expected, &env))
    );
    is_sound(&mut engine, &env);
    let moments = done(&mut engine, &env, &doc! {"quireMoments":1,"$db":"garden"});
    let moments = moments.get_array("moments").expect("a list").clone();
    assert_eq!(moments.len(), if written_as < 3 { 0 } else { 2 });
    let sown = |engine: &mut Engine| {
        let stats = done(
            engine,
            &env,
            &doc! { "collStats": "herbs", "$db": "garden" },
        );
        let sizes = stats.get_document("indexSizes").expect("sizes");
        number(sizes, "sown_1") as u64 / PAGE_SIZE as u64
    };
    assert_eq!(sown(&mut engine), empty_pages);
    // Looking changes nothing; the next commit adds the second copy.
    assert!(engine.take_batch().expect("the pages are sound").is_none());
    done(&mut engine, &env, &insert("herbs", 900, 950));
    let sown_in_2026 = bson::DateTime::from_millis(1_767_225_600_000);
    let late = doc! { "_id": "late", "name": "late", "sown": sown_in_2026 };
    done(
        &mut engine,
        &env,
        &doc! { "insert": "herbs", "$db": "garden", "documents": [late] },
    );
    assert_eq!(sown(&mut engine), 1);
    commit(&mut engine, &device);
    for copy in 0..HEADER_COPIES {
        assert_eq!(version(device.header_copy(copy)), Some(FORMAT_VERSION));
        assert_eq!(device.header_copy(copy), device.header_copy(0));
        let damaged = device.copy();
        damaged.put_header(copy, None);
        let mut engine = open(&damaged, &env).expect("one copy is enough");
        let counted = done(&mut engine, &env, &doc! {"count":"herbs","$db":"garden"});
        assert_eq!(number(&counted, "n"), 301);
        for (moment, weeds) in moments.iter().zip([0, 20]) {
            let moment = number(moment.as_document().expect("a moment"), "number");
            let count =
                doc! { "quireAt": moment, "command": { "count": "weeds" }, "$db": "garden" };
            let counted = done(&mut engine, &env, &count);
            assert_eq!(number(&counted, "n"), weeds);
        }
        is_sound(&mut engine, &env);
    }
}
