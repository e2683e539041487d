//! Pages in a place that is not theirs: older ones of the same number, and those of another deployment.
//!
//! Invariant that is tested: such a page, sound in itself, is an error that names it wherever it is read, and never an
//! answer.

use super::conformance::block_on;
use super::page::{self, Buffer, PageKind};
use super::pager::State;
use super::{Durability, MemoryDevice, PageDevice, PageNumber, Pager, Tree, check, load};
use crate::env::NoEnv;
use crate::error::{StorageError, StorageFault};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

type Result<T = ()> = std::result::Result<T, StorageError>;
type Model = BTreeMap<Vec<u8>, Vec<u8>>;

/// A deployment, and all pages that it ever stored.
struct Grown {
    pager: Pager,
    tree: Tree,
    device: MemoryDevice,
    history: BTreeMap<PageNumber, Vec<Buffer>>,
}

impl Grown {
    fn new(identity: Option<u32>) -> Self {
        let mut pager = Pager::new();
        if let Some(identity) = identity {
            pager.identify(identity);
        }
        Self {
            pager,
            tree: Tree::new(),
            device: MemoryDevice::new(),
            history: BTreeMap::new(),
        }
    }

    fn commit(&mut self) -> Result {
        self.pager.set_catalog_root(self.tree);
        let batch = self.pager.seal()?.expect("there are changes");
        block_on(self.device.write(&batch, Durability::Strict))?;
        self.pager.confirm(batch.sequence);
        for (number, buffer) in batch.pages {
            let held = self.history.entry(number).or_default();
            held.push(Rc::new(*buffer));
        }
        Ok(())
    }

    /// Leaves, branches, chains of values and of keys, and moments, all of them changed often.
    fn grow(&mut self, rounds: u32) -> Result {
        for round in 0..rounds {
            for number in (0..900u32).filter(|number| number % 5 == round % 5 || round == 0) {
                let size = if number % 150 == 0 { 40_000 } else { 60 };
                let value = vec![round as u8; size];
                self.tree
                    .put(&mut self.pager, &number.to_be_bytes(), &value)?;
            }
            let long = [&[0xFF; 20_000][..], &[(round % 3) as u8]].concat();
            self.tree.put(&mut self.pager, &long, &[round as u8])?;
            if round % 2 == 0 {
                self.pager.set_catalog_root(self.tree);
                self.pager.make_moment(&[5; 3000])?;
            }
            if round % 4 == 3 {
                self.pager.settle_moments()?;
                let oldest = self.pager.moment_numbers()?[0];
                self.pager.drop_moment(oldest)?;
            }
            self.commit()?;
        }
        Ok(())
    }

    /// Moments of states that hardly differ: what tells of them changes the most.
    fn keep(&mut self, rounds: u8) -> Result {
        for round in 0..rounds {
            self.tree.put(&mut self.pager, b"kept", &[round])?;
            self.pager.set_catalog_root(self.tree);
            self.pager.make_moment(&[round; 300])?;
            self.commit()?;
        }
        Ok(())
    }

    /// The pages of the trees that tell of moments.
    fn telling(&self) -> Result<BTreeSet<PageNumber>> {
        let (trees, mut pages) = (self.pager.moments.trees, BTreeSet::new());
        for tree in [trees.moments, trees.lists] {
            tree.pages(&self.pager, &mut |page| {
                pages.insert(page);
            })?;
        }
        Ok(pages)
    }

    /// Whether something of the deployment refers to the page.
    fn is_used(&self, number: PageNumber) -> bool {
        let entry = self.pager.table.get(number as usize);
        entry.is_some_and(|entry| entry.state == State::Used)
    }
}

fn entries(pager: &Pager, tree: Tree) -> Result<Model> {
    let mut model = Model::new();
    let mut cursor = tree.cursor();
    while cursor.next(pager)? {
        model.insert(cursor.key().to_vec(), cursor.value(pager)?.to_vec());
    }
    // Looking for many keys at once takes other ways down than a cursor.
    let keys: Vec<&Vec<u8>> = model.keys().collect();
    let mut found = 0;
    tree.get_each(
        pager,
        keys.len(),
        &|at| keys[at],
        &mut |at, value: &[u8]| {
            assert_eq!(model[keys[at]], value);
            found += 1;
            Ok::<_, StorageError>(())
        },
    )?;
    assert_eq!(found, keys.len());
    Ok(model)
}

/// The present and every moment.
fn all_states(pager: &mut Pager) -> Result<Vec<Model>> {
    let mut states = vec![entries(pager, pager.catalog_root())?];
    for number in pager.moment_numbers()?.iter() {
        let moment = pager.moment(*number)?.expect("it is told of");
        states.push(entries(pager, moment.catalog)?);
    }
    Ok(states)
}

/// Whether the page is noticed, in a store that has `bytes` in the place of a page. Panics where its states are read
/// otherwise than they are.
fn is_noticed(grown: &Grown, number: PageNumber, bytes: &Buffer, truth: &[Model]) -> Result<bool> {
    let planted = grown.device.copy();
    planted.put_page(number, &bytes[..]);
    let mut pager = block_on(load(&planted))?.expect("a deployment").pager;
    let report = check(&pager, &[("tree", pager.catalog_root())], &NoEnv)?;
    let is_told = report.problems.iter().any(|problem| problem.page == number);
    match all_states(&mut pager).map_err(StorageError::into_fault) {
        Ok(states) => {
            assert!(states == truth, "page {number} gave a wrong answer");
            Ok(is_told)
        }
        Err(StorageFault::Corrupt { page, reason }) => {
            let says = ["of commit", "another deployment", "not stored"];
            let is_said = says.iter().any(|says| reason.contains(says));
            assert!(page == number && is_said, "page {page}: {reason}");
            Ok(true)
        }
        Err(other) => panic!("page {number}: {other}"),
    }
}

#[test]
fn an_older_page_of_the_same_number_is_named_wherever_it_lies() -> Result {
    let mut grown = Grown::new(Some(7));
    grown.grow(24)?;
    let is_leaf = |bytes: &Buffer| bytes[page::KIND_AT] == PageKind::Leaf as u8;
    let (mut telling, mut tries) = (BTreeSet::new(), 40);
    // Until a leaf that tells of moments lies where another leaf lay.
    while !telling.iter().any(|number: &PageNumber| {
        let held = &grown.history[number];
        held.iter().filter(|bytes| is_leaf(bytes)).count() > 1 && held.last().is_some_and(is_leaf)
    }) {
        grown.keep(1)?;
        telling = grown.telling()?;
        tries -= 1;
        assert!(tries > 0, "numbers are never used again");
    }
    let truth = all_states(&mut grown.pager)?;
    let mut planted: BTreeMap<(u8, u8, bool), u32> = BTreeMap::new();
    for (number, held) in &grown.history {
        let Some((now, older)) = held.split_last() else {
            continue;
        };
        for bytes in older {
            let is_noticed = is_noticed(&grown, *number, bytes, &truth)?;
            assert_eq!(is_noticed, grown.is_used(*number), "page {number}");
            let is_alike = now[page::KIND_AT] == bytes[page::KIND_AT];
            if is_noticed && is_alike {
                let tells = telling.contains(number);
                let kind = (now[page::KIND_AT], now[page::LEVEL_AT], tells);
                *planted.entry(kind).or_default() += 1;
            }
        }
    }
    let leaf = PageKind::Leaf as u8;
    for kind in [
        (leaf, 0, false),
        (leaf, 0, true),
        (PageKind::Branch as u8, 1, false),
        (PageKind::Overflow as u8, 0, false),
    ] {
        assert!(planted.contains_key(&kind), "{kind:?} of {planted:?}");
    }
    Ok(())
}

#[test]
fn an_older_page_of_the_free_list_is_named() -> Result {
    let mut grown = Grown::new(Some(7));
    let key = |number: u32| number.to_be_bytes();
    for number in 0..2300 {
        grown
            .tree
            .insert(&mut grown.pager, &key(number), &[1; 5000])?;
    }
    grown.commit()?;
    for round in 0..5u8 {
        for number in (0..2300).step_by(2) {
            match round % 2 {
                0 => grown.tree.remove(&mut grown.pager, &key(number))?,
                _ => grown
                    .tree
                    .put(&mut grown.pager, &key(number), &[round; 5000])?,
            };
        }
        grown.commit()?;
    }
    let (_, base) = grown.pager.free_pages().expect("it was read");
    let mut planted = 0;
    for number in base.iter() {
        let held = &grown.history[number];
        for bytes in &held[..held.len() - 1] {
            let device = grown.device.copy();
            device.put_page(*number, &bytes[..]);
            let mut pager = block_on(load(&device))?.expect("a deployment").pager;
            assert!(!pager.has_free_list());
            let said = pager.load_free_list().expect_err("it is another list");
            assert!(
                matches!(said.fault(), StorageFault::Corrupt { page, .. } if page == number),
                "{said}"
            );
            planted += u32::from(bytes[page::KIND_AT] == PageKind::FreeList as u8);
        }
    }
    assert!(planted > 0, "no list lay where the last one lies");
    Ok(())
}

#[test]
fn a_page_of_another_deployment_is_named_wherever_it_lies() -> Result {
    let (mut grown, mut other) = (Grown::new(Some(7)), Grown::new(Some(8)));
    grown.grow(9)?;
    other.grow(9)?;
    let truth = all_states(&mut grown.pager)?;
    let mut noticed = 0;
    for number in grown.device.page_numbers() {
        let foreign = other.device.page(number).expect("they are alike");
        let foreign = page::buffer_from(&foreign).expect("a page");
        assert_ne!(Some(&foreign[..]), grown.device.page(number).as_deref());
        let is_noticed = is_noticed(&grown, number, &foreign, &truth)?;
        assert_eq!(is_noticed, grown.is_used(number), "page {number}");
        noticed += u32::from(is_noticed);
    }
    assert!(noticed > 40, "{noticed}");
    // Both are told apart by their headers alone.
    let header = block_on(other.device.read_header())?.expect("a header");
    assert!(grown.pager.is_foreign(&header)?);
    other.grow(1)?;
    let header = block_on(other.device.read_header())?.expect("a header");
    assert!(grown.pager.refresh(&header, &[]).is_err());
    assert!(all_states(&mut grown.pager)? == truth);
    Ok(())
}

#[test]
fn pages_older_than_the_identity_stay_readable_and_younger_ones_need_it() -> Result {
    let (mut grown, mut bare) = (Grown::new(None), Grown::new(None));
    grown.grow(5)?;
    bare.grow(5)?;
    // As another tab does that read the header before.
    let before = block_on(grown.device.read_header())?.expect("a header");
    let mut tab = Pager::open(&before)?;
    tab.identify(9);
    grown.pager.identify(7);
    for one in [&mut grown, &mut bare] {
        for number in (0..900u32).step_by(100) {
            one.tree
                .put(&mut one.pager, &number.to_be_bytes(), b"now")?;
        }
        one.commit()?;
    }
    let truth = all_states(&mut grown.pager)?;
    let mut loaded = block_on(load(&grown.device))?.expect("a deployment").pager;
    assert!(all_states(&mut loaded)? == truth);
    let identity = |number: PageNumber| {
        let bytes = grown.device.page(number).expect("it is stored");
        let bytes = page::buffer_from(&bytes).expect("a page");
        (page::identity_of(&bytes), page::sequence_of(&bytes))
    };
    let (mut old, mut young) = (0, 0);
    for number in grown.device.page_numbers() {
        let (identity, birth) = identity(number);
        assert_eq!(identity, if birth > loaded.mark.unmarked { 7 } else { 0 });
        if identity == 0 {
            old += 1;
            continue;
        }
        let unmarked = bare.device.page(number).expect("they are alike");
        let unmarked = page::buffer_from(&unmarked).expect("a page");
        let is_noticed = is_noticed(&grown, number, &unmarked, &truth)?;
        assert_eq!(is_noticed, grown.is_used(number), "page {number}");
        young += 1;
    }
    assert!(old > 20 && young > 5, "{old} {young}");
    // The other tab goes on with the identity that was stored first.
    let after = block_on(grown.device.read_header())?.expect("a header");
    assert!(!tab.is_foreign(&after)?);
    tab.refresh(&after, &[])?;
    assert_eq!(tab.mark, loaded.mark);
    Ok(())
}
