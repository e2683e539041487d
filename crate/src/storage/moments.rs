//! Moments: states that are kept, each as a catalog root that shares its pages with the present.
//!
//! A moment's pages are never changed and never given out again. Which pages only moments keep is told by dead lists:
//! a page that the present gives up, and that was born before the newest moment, is no free page but stands in that
//! moment's list, with the moment (or an earlier one) that it was there for first. So dropping a moment reads its own
//! list and no tree: pages born after the next older moment are free, the rest passes to that older one.
//! The moments are entries of one tree (number → catalog root and note), the lists pieces in another (moment and a
//! counter → runs of pages); both trees' pages belong to no moment. Pages given up since the last seal wait in memory.
//! Invariants: numbers ascend, and every page of a moment that the present lacks is in exactly one list, of that moment
//! or of a newer one. A moment's number is the commit sequence that its newest pages carry.

use super::btree::Tree;
use super::page::{self, PageNumber};
use super::pager::{Pager, State};
use super::runs::{LONGEST_RUN, Runs, put_varint, take_varint};
use super::sorted_map::SortedMap;
use crate::error::StorageError;
use std::ops::Bound;
use std::rc::Rc;

/// A piece of a dead list that has as many bytes is not added to.
const PIECE_BYTES: usize = 2048;

/// A state that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The commit sequence that it was made in: later moments have higher ones.
    pub number: u64,
    /// The catalog tree as it was.
    pub catalog: Tree,
    /// The maker's note: bytes that storage keeps and does not read.
    pub note: Vec<u8>,
}

/// The handles that the header keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MomentTrees {
    /// Number → catalog root and note.
    pub(crate) moments: Tree,
    /// Number and counter → a piece of a dead list.
    pub(crate) lists: Tree,
}

/// Pages by the number of the moment that they were there for first (or one that was dropped since).
type Groups = SortedMap<u64, Runs>;

/// A pager's moments: their trees, their numbers, and changes not yet written to the trees.
#[derive(Debug)]
pub(crate) struct Moments {
    /// False until the stored moments were read.
    loaded: bool,
    pub(crate) trees: MomentTrees,
    /// The numbers of the moments, ascending.
    pub(crate) numbers: Rc<[u64]>,
    /// The pages given up since the lists were written: by list and group.
    pending: SortedMap<(u64, u64), Runs>,
    /// The pages that are given up now are of no moment: those of the lists themselves.
    is_apart: bool,
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            loaded: true,
            ..Self::stored(MomentTrees::default())
        }
    }
}

fn list_key(moment: u64, counter: u64) -> [u8; 16] {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&moment.to_be_bytes());
    key[8..].copy_from_slice(&counter.to_be_bytes());
    key
}

/// The moment and the counter of a list's key.
fn read_list_key(key: &[u8]) -> Option<(u64, u64)> {
    let (moment, counter) = key.split_first_chunk()?;
    let counter = counter.try_into().ok()?;
    Some((u64::from_be_bytes(*moment), u64::from_be_bytes(counter)))
}

fn not_a(what: &str) -> StorageError {
    StorageError::corrupt(0, format!("an entry of the moments is not {what}"))
}

fn put_group(piece: &mut Vec<u8>, group: u64, runs: &[u8]) {
    put_varint(piece, group);
    put_varint(piece, runs.len() as u64);
    piece.extend_from_slice(runs);
}

/// The groups in pieces of about `PIECE_BYTES`.
fn pieces(groups: &Groups) -> Vec<Vec<u8>> {
    let (mut pieces, mut piece) = (Vec::new(), Vec::new());
    for (group, runs) in groups.entries() {
        let (mut bytes, mut end) = (Vec::new(), 0);
        for (first, length) in runs.iter() {
            if piece.len() + bytes.len() + LONGEST_RUN > PIECE_BYTES {
                if !bytes.is_empty() {
                    put_group(&mut piece, *group, &bytes);
                }
                pieces.push(std::mem::take(&mut piece));
                bytes.clear();
                end = 0;
            }
            put_varint(&mut bytes, first - end);
            put_varint(&mut bytes, length);
            end = first + length;
        }
        put_group(&mut piece, *group, &bytes);
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// Adds the groups of a piece.
pub(crate) fn read_piece(
    mut piece: &[u8],
    limit: PageNumber,
    visit: &mut dyn FnMut(u64, Runs),
) -> Result<(), StorageError> {
    while !piece.is_empty() {
        let group = take_varint(&mut piece).ok_or_else(|| not_a("a list"))?;
        let length = take_varint(&mut piece).ok_or_else(|| not_a("a list"))?;
        let bytes = usize::try_from(length)
            .ok()
            .and_then(|length| piece.split_at_checked(length));
        let (bytes, rest) = bytes.ok_or_else(|| not_a("a list"))?;
        let mut runs = Runs::default();
        runs.decode_into(bytes, limit)
            .map_err(|reason| StorageError::corrupt(0, format!("a list of a moment: {reason}")))?;
        visit(group, runs);
        piece = rest;
    }
    Ok(())
}

fn merge(into: &mut Groups, group: u64, runs: &Runs) {
    match into.get_mut(&group) {
        Some(known) => runs.pages().for_each(|page| {
            known.insert(page);
        }),
        None => into.insert(group, runs.clone()),
    }
}

impl Moments {
    /// The moments that a header describes, not read yet.
    pub(crate) fn stored(trees: MomentTrees) -> Self {
        Self {
            loaded: false,
            trees,
            numbers: Rc::from([]),
            pending: SortedMap::default(),
            is_apart: false,
        }
    }

    fn newest(&self) -> Option<u64> {
        self.numbers.last().copied()
    }

    /// The first moment that has a page of this birth, as a group of a list.
    fn group_of(&self, birth: u64) -> Option<u64> {
        let at = self.numbers.partition_point(|number| *number < birth);
        self.numbers.get(at).copied()
    }

    /// Takes a page out of where giving it up put it. Only undo calls this.
    pub(crate) fn unkeep(&mut self, page: PageNumber) -> Result<(), StorageError> {
        let found = self.pending.values_mut().any(|runs| runs.remove(page));
        self.pending.retain(&mut |runs| runs.len() > 0);
        match found {
            true => Ok(()),
            false => Err(StorageError::broken(format!(
                "undo of giving page {page} to a moment"
            ))),
        }
    }
}

impl Pager {
    /// Reads which moments there are, once, and sees to it that the way to where their lists go on is in memory: a seal
    /// adds there, and cannot wait for a page.
    ///
    /// # Errors
    /// `NotResident` and `Corrupt` of their trees.
    pub fn load_moments(&mut self) -> Result<(), StorageError> {
        self.moments.trees.lists.cursor().last(self)?;
        if self.moments.loaded {
            return Ok(());
        }
        let mut numbers = Vec::new();
        let mut cursor = self.moments.trees.moments.cursor();
        while cursor.next(self)? {
            let key = cursor.key().try_into().map_err(|_| not_a("a moment"))?;
            numbers.push(u64::from_be_bytes(key));
        }
        if numbers.last().is_some_and(|last| *last > self.sequence) {
            return Err(not_a("of this deployment"));
        }
        self.moments.numbers = numbers.into();
        self.moments.loaded = true;
        Ok(())
    }

    /// Goes on without moments, because their stored lists cannot be read. A survey of all trees afterwards may
    /// free their pages (`Survey::free_unmet`).
    pub fn abandon_moments(&mut self) {
        self.moments = Moments::default();
        self.changed = true;
    }

    /// The numbers of the moments, ascending.
    ///
    /// # Errors
    /// Those of `load_moments`.
    pub fn moment_numbers(&mut self) -> Result<Rc<[u64]>, StorageError> {
        self.load_moments()?;
        Ok(Rc::clone(&self.moments.numbers))
    }

    /// A moment; `None` when there is none of that number.
    ///
    /// # Errors
    /// `NotResident` and `Corrupt`.
    pub fn moment(&self, number: u64) -> Result<Option<Moment>, StorageError> {
        let tree = self.moments.trees.moments;
        let Some(value) = tree.get_ref(self, &number.to_be_bytes())? else {
            return Ok(None);
        };
        let (catalog, note) = value
            .split_at_checked(Tree::ENCODED_LENGTH)
            .ok_or_else(|| not_a("a moment"))?;
        Ok(Some(Moment {
            number,
            catalog: Tree::decode(catalog)?,
            note: note.to_vec(),
        }))
    }

    /// Keeps the state that the catalog root describes, and gives the moment's number. Only pages that change from here
    /// on are copied.
    ///
    /// # Errors
    /// Those of writing; roll back then.
    pub fn make_moment(&mut self, note: &[u8]) -> Result<u64, StorageError> {
        self.load_free_list()?;
        let number = self.generation;
        self.epochs.keep();
        self.generation += 1;
        self.put_moment(number, self.catalog, note)?;
        let numbers = self.moments.numbers.iter().copied();
        self.moments.numbers = numbers.chain([number]).collect();
        Ok(number)
    }

    /// Gives a moment another note; false when there is none of that number.
    ///
    /// # Errors
    /// Those of writing; roll back then.
    pub fn annotate_moment(&mut self, number: u64, note: &[u8]) -> Result<bool, StorageError> {
        self.load_free_list()?;
        let Some(moment) = self.moment(number)? else {
            return Ok(false);
        };
        self.put_moment(number, moment.catalog, note)?;
        Ok(true)
    }

    fn put_moment(&mut self, number: u64, catalog: Tree, note: &[u8]) -> Result<(), StorageError> {
        let mut value = catalog.encode().to_vec();
        value.extend_from_slice(note);
        let mut tree = self.moments.trees.moments;
        self.apart(|pager| tree.put(pager, &number.to_be_bytes(), &value))?;
        self.moments.trees.moments = tree;
        self.changed = true;
        Ok(())
    }

    /// Drops a moment: the pages that no other and not the present has are free then. Gives how many; `None` when there
    /// is no moment of that number. `settle_moments` must have been called, outside of savepoints.
    ///
    /// # Errors
    /// Those of reading and writing; roll back then.
    pub fn drop_moment(&mut self, number: u64) -> Result<Option<u64>, StorageError> {
        self.load_free_list()?;
        let numbers = Rc::clone(&self.moments.numbers);
        let Ok(at) = numbers.binary_search(&number) else {
            return Ok(None);
        };
        if !self.moments.pending.entries().is_empty() {
            return Err(StorageError::broken(
                "a moment is dropped before its list is written",
            ));
        }
        let older = at.checked_sub(1).map_or(0, |at| numbers[at]);
        let (mut free, mut passed, mut counters) = (Vec::new(), Groups::default(), Vec::new());
        self.visit_list(number, &mut |counter, group, runs| {
            if counters.last() != Some(&counter) {
                counters.push(counter);
            }
            match group > older {
                true => free.push(runs),
                false => merge(&mut passed, group, &runs),
            }
        })?;
        let freed = free.iter().map(Runs::len).sum();
        self.apart(|pager| {
            let mut lists = pager.moments.trees.lists;
            for counter in counters {
                lists.remove(pager, &list_key(number, counter))?;
            }
            pager.moments.trees.lists = lists;
            for page in free.iter().flat_map(Runs::pages) {
                pager.free(page)?;
            }
            if !passed.entries().is_empty() {
                pager.append_list(older, passed)?;
            }
            let mut moments = pager.moments.trees.moments;
            moments.remove(pager, &number.to_be_bytes())?;
            pager.moments.trees.moments = moments;
            Ok(())
        })?;
        let left = numbers.iter().copied().filter(|other| *other != number);
        self.moments.numbers = left.collect();
        self.changed = true;
        // Another piece may be the last one now.
        self.load_moments()?;
        Ok(Some(freed))
    }

    /// Drops every moment but these, ascending; gives how many. For a state that was just opened.
    ///
    /// # Errors
    /// Those of reading and writing; nothing changed then.
    pub fn drop_moments_but(&mut self, kept: &[u64]) -> Result<usize, StorageError> {
        self.load_free_list()?;
        let mut dropped = 0;
        let savepoint = self.savepoint();
        for number in Rc::clone(&self.moments.numbers).iter() {
            if kept.binary_search(number).is_ok() {
                continue;
            }
            match self.drop_moment(*number) {
                Ok(_) => dropped += 1,
                Err(error) => {
                    self.rollback_to(savepoint)?;
                    return Err(error);
                }
            }
        }
        self.release(savepoint);
        Ok(dropped)
    }

    /// How many pages would be free if these moments, ascending, were dropped.
    ///
    /// # Errors
    /// `NotResident` and `Corrupt` of the lists.
    pub fn pages_kept_by(&mut self, moments: &[u64]) -> Result<u64, StorageError> {
        let numbers = self.moment_numbers()?;
        let mut kept = 0;
        self.visit_lists(&mut |list, group, runs| {
            let from = numbers.partition_point(|number| *number < group);
            let to = numbers.partition_point(|number| *number <= list);
            let mut keepers = numbers[from..to.max(from)].iter();
            if keepers.all(|keeper| moments.binary_search(keeper).is_ok()) {
                kept += runs.len();
            }
            Ok(())
        })?;
        Ok(kept)
    }

    /// How many pages would be free if each of the moments alone were dropped, in the order of their numbers.
    ///
    /// # Errors
    /// `NotResident` and `Corrupt` of the lists.
    pub fn pages_kept_alone(&mut self) -> Result<Vec<u64>, StorageError> {
        let numbers = self.moment_numbers()?;
        let mut alone = vec![0; numbers.len()];
        self.visit_lists(&mut |list, group, runs| {
            let from = numbers.partition_point(|number| *number < group);
            let to = numbers.partition_point(|number| *number <= list);
            if from + 1 == to
                && let Some(pages) = alone.get_mut(from)
            {
                *pages += runs.len();
            }
            Ok(())
        })?;
        Ok(alone)
    }

    /// Writes the pages given up into the lists. A seal does it, and dropping moments does it first.
    ///
    /// # Errors
    /// Those of writing; nothing changed then. `Broken` inside a savepoint.
    pub fn settle_moments(&mut self) -> Result<(), StorageError> {
        if self.moments.pending.entries().is_empty() {
            return Ok(());
        }
        if self.undo.is_open() {
            return Err(StorageError::broken(
                "lists of moments written inside a savepoint",
            ));
        }
        let savepoint = self.savepoint();
        let written = self.apart(Self::write_pending);
        match written {
            Ok(()) => {
                self.release(savepoint);
                self.moments.pending.clear();
            }
            Err(_) => self.rollback_to(savepoint)?,
        }
        written
    }

    fn write_pending(&mut self) -> Result<(), StorageError> {
        let pending = self.moments.pending.clone();
        for lists in pending.entries().chunk_by(|a, b| a.0.0 == b.0.0) {
            let mut groups = Groups::default();
            for ((_, group), runs) in lists {
                groups.insert(*group, runs.clone());
            }
            if let Some(((list, _), _)) = lists.first() {
                self.append_list(*list, groups)?;
            }
        }
        Ok(())
    }

    /// Adds pages to a list, to its last piece as far as that has room.
    fn append_list(&mut self, list: u64, mut groups: Groups) -> Result<(), StorageError> {
        let mut tree = self.moments.trees.lists;
        let mut cursor = tree.cursor();
        let mut counter = 0;
        if cursor.seek_back(self, Bound::Included(&list_key(list, u64::MAX)))?
            && let Some((of, last)) = read_list_key(cursor.key())
            && of == list
        {
            let piece = cursor.value_ref(self)?;
            counter = last + 1;
            if piece.len() < PIECE_BYTES {
                counter = last;
                read_piece(&piece, self.page_count(), &mut |group, runs| {
                    merge(&mut groups, group, &runs);
                })?;
            }
        }
        for piece in pieces(&groups) {
            tree.put(self, &list_key(list, counter), &piece)?;
            counter += 1;
        }
        self.moments.trees.lists = tree;
        self.changed = true;
        Ok(())
    }

    /// Visits the written pieces of a list: the counter of each, and its groups.
    fn visit_list(
        &self,
        list: u64,
        visit: &mut dyn FnMut(u64, u64, Runs),
    ) -> Result<(), StorageError> {
        let mut cursor = self.moments.trees.lists.cursor();
        let mut on_entry = cursor.seek(self, Bound::Included(&list_key(list, 0)))?;
        while on_entry {
            let key = read_list_key(cursor.key()).ok_or_else(|| not_a("a list"))?;
            if key.0 != list {
                break;
            }
            let piece = cursor.value_ref(self)?;
            read_piece(&piece, self.page_count(), &mut |group, runs| {
                visit(key.1, group, runs);
            })?;
            on_entry = cursor.next(self)?;
        }
        Ok(())
    }

    /// Every group of every list, those that wait in memory included.
    pub(crate) fn visit_lists(
        &self,
        visit: &mut dyn FnMut(u64, u64, &Runs) -> Result<(), StorageError>,
    ) -> Result<(), StorageError> {
        let mut cursor = self.moments.trees.lists.cursor();
        while cursor.next(self)? {
            let (list, _) = read_list_key(cursor.key()).ok_or_else(|| not_a("a list"))?;
            let mut told = Ok(());
            let piece = cursor.value_ref(self)?;
            read_piece(&piece, self.page_count(), &mut |group, runs| {
                if told.is_ok() {
                    told = visit(list, group, &runs);
                }
            })?;
            told?;
        }
        for ((list, group), runs) in self.moments.pending.entries() {
            visit(*list, *group, runs)?;
        }
        Ok(())
    }

    /// Runs `work`; pages that it gives up belong to no moment.
    pub(crate) fn apart<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let outer = std::mem::replace(&mut self.moments.is_apart, true);
        let done = work(self);
        self.moments.is_apart = outer;
        done
    }

    /// The commit sequence that a page carries. Of a damaged page 0: it counts as old as any.
    pub(crate) fn birth_of(&self, number: PageNumber) -> Result<u64, StorageError> {
        let Some(entry) = self.table.get(number as usize) else {
            return Err(StorageError::corrupt(number, "there is no such page"));
        };
        match entry.buffer.get() {
            Some(buffer) => Ok(page::sequence_of(buffer)),
            None if entry.corrupt => Ok(0),
            None => Ok(page::sequence_of(self.sourced(number)?)),
        }
    }

    /// The group of the newest moment's list that a page comes into when the present gives it up; `None` where no
    /// moment has the page.
    pub(crate) fn kept_group(&self, number: PageNumber) -> Result<Option<u64>, StorageError> {
        match self.moments.is_apart || self.moments.numbers.is_empty() {
            true => Ok(None),
            false => Ok(self.moments.group_of(self.birth_of(number)?)),
        }
    }

    /// Gives a page that a moment has to the newest moment's list.
    pub(crate) fn keep(&mut self, number: PageNumber, group: u64) -> Result<(), StorageError> {
        let Some(newest) = self.moments.newest() else {
            return Err(StorageError::broken("no moment to keep a page for"));
        };
        let pending = &mut self.moments.pending;
        if !pending.contains_key(&(newest, group)) {
            pending.insert((newest, group), Runs::default());
        }
        let runs = pending.get_mut(&(newest, group));
        if runs.is_some_and(|runs| runs.insert(number)) {
            return Ok(());
        }
        Err(StorageError::corrupt(number, "it was freed twice"))
    }

    /// The number after the highest page that a moment keeps in its place: such pages are not moved.
    pub(crate) fn end_of_kept(&self) -> Result<PageNumber, StorageError> {
        let Some(newest) = self.moments.newest() else {
            return Ok(0);
        };
        let mut end = 0;
        self.visit_lists(&mut |_, _, runs| {
            let last = runs.last().map_or(0, |(first, length)| first + length);
            end = end.max(last);
            Ok(())
        })?;
        let own = [self.moments.trees.moments, self.moments.trees.lists];
        let mut apart = Vec::new();
        for tree in own {
            tree.pages(self, &mut |page| apart.push(page))?;
        }
        if let Some((_, base)) = self.free_pages() {
            apart.extend_from_slice(&base);
        }
        for number in (end..self.page_count()).rev() {
            let is_used = self.table[number as usize].state == State::Used && number > 0;
            if is_used && !apart.contains(&number) && self.birth_of(number)? <= newest {
                return Ok(number + 1);
            }
        }
        Ok(end)
    }
}
