//! The header record: the one thing that makes a commit visible.
//!
//! Layout in `docs/format.md`. The magic and the format version come first and never move, so that any build can
//! recognise a later format and refuse it. A device keeps two copies, so that one lost or flipped record costs nothing.
//! Invariant: a header is written, both copies of it, with the pages of its batch, or not at all.

use super::btree::Tree;
use super::moments::MomentTrees;
use super::page::{self, Buffer, PAGE_SIZE, PageLink, PageNumber};
use super::runs::Runs;
use super::sorted_map::SortedMap;
use crate::bson::Timestamp;
use crate::error::{StorageError, StorageFault};

/// The format version this build writes.
pub const FORMAT_VERSION: u32 = 5;
/// The oldest one it reads. A deployment of an older version is of this one from its next commit on: nothing of it has
/// to change.
const OLDEST_VERSION: u32 = 1;
/// The first one with moments.
const MOMENTS_VERSION: u32 = 3;
/// The first one whose pages carry their deployment's identity.
const IDENTITY_VERSION: u32 = 4;
/// The first one with the logical clock's time.
const TIME_VERSION: u32 = 5;
const MAGIC: &[u8; 8] = b"QUIREDB\0";
const VERSION_AT: usize = 8;
const PAGE_SIZE_AT: usize = 12;
const CHECKSUM_AT: usize = 16;
const SEQUENCE_AT: usize = 24;
const PAGE_COUNT_AT: usize = 32;
const FREE_FIRST_AT: usize = 40;
const FREE_PAGES_AT: usize = 48;
const CATALOG_AT: usize = 56;
const LINEAGE_AT: usize = CATALOG_AT + Tree::ENCODED_LENGTH;
const MOMENTS_AT: usize = LINEAGE_AT + 8;
const LISTS_AT: usize = MOMENTS_AT + Tree::ENCODED_LENGTH;
const IDENTITY_AT: usize = LISTS_AT + Tree::ENCODED_LENGTH;
const UNMARKED_AT: usize = IDENTITY_AT + 8;
const TIME_AT: usize = UNMARKED_AT + 8;
const DELTA_AT: usize = TIME_AT + 8;

/// How the pages of a deployment are told from those of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    /// Random, and in every page; 0 for a deployment that has none.
    pub(crate) identity: u32,
    /// Pages up to this birth are older than the identity, and have none.
    pub(crate) unmarked: u64,
}

impl Mark {
    /// The mark that most of these pages have, for remains without a header. Pages without one may be theirs.
    pub(crate) fn of_most(pages: &[(PageNumber, Buffer)]) -> Self {
        let mut counts: SortedMap<u32, usize> = SortedMap::default();
        for (_, buffer) in pages {
            let identity = page::identity_of(buffer);
            let so_far = counts.get(&identity).copied().unwrap_or(0);
            counts.insert(identity, so_far + usize::from(identity != 0));
        }
        let most = counts.entries().iter().max_by_key(|(_, count)| *count);
        Self {
            identity: most.map_or(0, |(identity, _)| *identity),
            unmarked: u64::MAX,
        }
    }
}

/// The fields of a header record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Header {
    pub(crate) sequence: u64,
    /// The number after the last page that was ever used.
    pub(crate) page_count: u64,
    pub(crate) free_first: PageLink,
    pub(crate) free_pages: u64,
    pub(crate) catalog: Tree,
    /// Depends on every page of every batch up to this one: deployments of the same lineage are the same.
    pub(crate) lineage: u64,
    pub(crate) moments: MomentTrees,
    pub(crate) mark: Mark,
    /// The last one of the logical clock.
    pub(crate) time: Timestamp,
    /// Pages that are free although the free-list pages do not say so, and the other way round.
    pub(crate) free_delta: Runs,
}

impl Header {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; DELTA_AT];
        bytes[..MAGIC.len()].copy_from_slice(MAGIC);
        page::put_u32(&mut bytes, VERSION_AT, FORMAT_VERSION);
        page::put_u32(&mut bytes, PAGE_SIZE_AT, PAGE_SIZE as u32);
        page::put_u64(&mut bytes, SEQUENCE_AT, self.sequence);
        page::put_u64(&mut bytes, PAGE_COUNT_AT, self.page_count);
        page::put_u64(&mut bytes, FREE_FIRST_AT, self.free_first);
        page::put_u64(&mut bytes, FREE_PAGES_AT, self.free_pages);
        bytes[CATALOG_AT..LINEAGE_AT].copy_from_slice(&self.catalog.encode());
        page::put_u64(&mut bytes, LINEAGE_AT, self.lineage);
        bytes[MOMENTS_AT..LISTS_AT].copy_from_slice(&self.moments.moments.encode());
        page::put_u32(&mut bytes, IDENTITY_AT, self.mark.identity);
        page::put_u64(&mut bytes, UNMARKED_AT, self.mark.unmarked);
        page::put_u64(&mut bytes, TIME_AT, self.time.to_bits());
        bytes[LISTS_AT..IDENTITY_AT].copy_from_slice(&self.moments.lists.encode());
        self.free_delta.encode(&mut bytes);
        let sum = page::checksum(&bytes[SEQUENCE_AT..]);
        page::put_u64(&mut bytes, CHECKSUM_AT, sum);
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, StorageError> {
        let corrupt = |reason: &str| StorageError::corrupt(0, format!("header: {reason}"));
        if bytes.len() < MOMENTS_AT || !bytes.starts_with(MAGIC) {
            return Err(corrupt("not a header record"));
        }
        let found = page::get_u32(bytes, VERSION_AT);
        if !(OLDEST_VERSION..=FORMAT_VERSION).contains(&found) {
            return Err(StorageError::unsupported_format(found, FORMAT_VERSION));
        }
        if page::checksum(&bytes[SEQUENCE_AT..]) != page::get_u64(bytes, CHECKSUM_AT) {
            return Err(corrupt("checksum mismatch"));
        }
        if page::get_u32(bytes, PAGE_SIZE_AT) as usize != PAGE_SIZE {
            return Err(corrupt("unknown page size"));
        }
        let page_count = page::get_u64(bytes, PAGE_COUNT_AT);
        let delta_at = match found {
            ..MOMENTS_VERSION => MOMENTS_AT,
            MOMENTS_VERSION..IDENTITY_VERSION => IDENTITY_AT,
            IDENTITY_VERSION..TIME_VERSION => TIME_AT,
            _ => DELTA_AT,
        };
        let delta = bytes
            .get(delta_at..)
            .ok_or_else(|| corrupt("a cut record"))?;
        let mut free_delta = Runs::default();
        free_delta.decode_into(delta, page_count).map_err(corrupt)?;
        // A page is named by its index in memory: a count beyond that cannot have been written by any build.
        if page_count == 0 || page_count > u64::from(u32::MAX) {
            return Err(corrupt("impossible page count"));
        }
        Ok(Self {
            sequence: page::get_u64(bytes, SEQUENCE_AT),
            page_count,
            free_first: page::get_u64(bytes, FREE_FIRST_AT),
            free_pages: page::get_u64(bytes, FREE_PAGES_AT),
            catalog: Tree::decode(&bytes[CATALOG_AT..LINEAGE_AT])?,
            lineage: page::get_u64(bytes, LINEAGE_AT),
            moments: match found < MOMENTS_VERSION {
                true => MomentTrees::default(),
                false => MomentTrees {
                    moments: Tree::decode(&bytes[MOMENTS_AT..LISTS_AT])?,
                    lists: Tree::decode(&bytes[LISTS_AT..IDENTITY_AT])?,
                },
            },
            mark: match found < IDENTITY_VERSION {
                true => Mark::default(),
                false => Mark {
                    identity: page::get_u32(bytes, IDENTITY_AT),
                    unmarked: page::get_u64(bytes, UNMARKED_AT),
                },
            },
            time: match found < TIME_VERSION {
                true => Timestamp::default(),
                false => Timestamp::from_bits(page::get_u64(bytes, TIME_AT)),
            },
            free_delta,
        })
    }
}

/// How many copies of the header a device keeps.
pub const HEADER_COPIES: usize = 2;

/// The header that counts among the copies that a device holds: the valid one with the highest sequence. `None` when
/// none is there, and no page either.
///
/// Copies differ after damage, and after a write by a build that kept only the first. All copies are written in one
/// transaction, so an unknown format version beside a valid copy is damage too.
///
/// # Errors
/// `UnsupportedFormat` when no copy is valid and one is of another format version; `Corrupt` (page 0) when all that are
/// there are damaged, or none is there although pages are (`has_pages`): that is no new deployment.
pub fn current_header(
    copies: [Option<Vec<u8>>; HEADER_COPIES],
    has_pages: bool,
) -> Result<Option<Vec<u8>>, StorageError> {
    let mut best: Option<(u64, Vec<u8>)> = None;
    let mut trouble: Option<StorageError> = None;
    for copy in copies.into_iter().flatten() {
        match header_sequence(&copy) {
            Ok(sequence) if best.as_ref().is_some_and(|(known, _)| *known >= sequence) => {}
            Ok(sequence) => best = Some((sequence, copy)),
            Err(error) => {
                let is_unknown = matches!(error.fault(), StorageFault::UnsupportedFormat { .. });
                if is_unknown || trouble.is_none() {
                    trouble = Some(error);
                }
            }
        }
    }
    match (best, trouble) {
        (Some((_, header)), _) => Ok(Some(header)),
        (None, Some(error)) => Err(error),
        (None, None) if has_pages => Err(StorageError::corrupt(
            0,
            "the header is missing although pages are stored",
        )),
        (None, None) => Ok(None),
    }
}

/// The commit sequence of a header record, for a device's fence.
///
/// # Errors
/// `UnsupportedFormat` for another format version, `Corrupt` (page 0) for a damaged record.
pub fn header_sequence(bytes: &[u8]) -> Result<u64, StorageError> {
    Header::decode(bytes).map(|header| header.sequence)
}

/// The page count of a header record: for a device to know whether there are pages beyond the end of another.
///
/// # Errors
/// As `header_sequence`.
pub fn header_page_count(bytes: &[u8]) -> Result<u64, StorageError> {
    Header::decode(bytes).map(|header| header.page_count)
}

/// The commit sequence and the lineage of a header record, for a device's fence. Two deployments that came to the same
/// sequence by different writes differ in their lineage.
///
/// # Errors
/// As `header_sequence`.
pub fn header_identity(bytes: &[u8]) -> Result<(u64, u64), StorageError> {
    Header::decode(bytes).map(|header| (header.sequence, header.lineage))
}

/// Whether a header's deployment keeps moments.
pub fn header_keeps_moments(bytes: &[u8]) -> bool {
    let header = Header::decode(bytes);
    header.is_ok_and(|header| header.moments.moments.entries > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StorageFault;

    fn header() -> Header {
        let mut free_delta = Runs::default();
        free_delta.insert(3);
        Header {
            sequence: 9,
            page_count: 12,
            free_first: 4,
            free_pages: 1,
            catalog: Tree::new(),
            lineage: 77,
            moments: MomentTrees {
                moments: Tree {
                    root: 2,
                    height: 1,
                    leaf_pages: 1,
                    ..Tree::new()
                },
                ..MomentTrees::default()
            },
            mark: Mark {
                identity: 5,
                unmarked: 6,
            },
            time: Timestamp::new(8, 3),
            free_delta,
        }
    }

    #[test]
    fn round_trip() {
        assert_eq!(Header::decode(&header().encode()), Ok(header()));
        assert_eq!(header_sequence(&header().encode()), Ok(9));
        assert_eq!(header_identity(&header().encode()), Ok((9, 77)));
    }

    #[test]
    fn one_lost_or_flipped_copy_costs_nothing() {
        let newer = header().encode();
        let older = Header {
            sequence: 8,
            ..header()
        }
        .encode();
        let choose = |first: Option<&Vec<u8>>, second: Option<&Vec<u8>>| {
            current_header([first.cloned(), second.cloned()], true)
        };
        assert_eq!(choose(Some(&newer), Some(&older)), Ok(Some(newer.clone())));
        assert_eq!(choose(Some(&older), Some(&newer)), Ok(Some(newer.clone())));
        assert_eq!(choose(None, Some(&newer)), Ok(Some(newer.clone())));
        assert_eq!(choose(Some(&newer), None), Ok(Some(newer.clone())));
        for at in 0..newer.len() {
            let mut damaged = newer.clone();
            damaged[at] ^= 1;
            assert_eq!(
                choose(Some(&damaged), Some(&newer)),
                Ok(Some(newer.clone()))
            );
            assert_eq!(
                choose(Some(&newer), Some(&damaged)),
                Ok(Some(newer.clone()))
            );
            assert!(choose(Some(&damaged), Some(&damaged)).is_err());
            assert!(choose(Some(&damaged), None).is_err());
        }
    }

    #[test]
    fn no_header_is_a_new_deployment_only_without_pages() {
        assert_eq!(current_header([None, None], false), Ok(None));
        let said = current_header([None, None], true).expect_err("pages are there");
        assert!(said.to_string().contains("header is missing"), "{said}");
        let mut unknown = header().encode();
        unknown[VERSION_AT] = 99;
        let damaged = vec![1; 200];
        for copies in [
            [Some(unknown.clone()), None],
            [Some(damaged.clone()), Some(unknown.clone())],
            [Some(unknown.clone()), Some(damaged)],
        ] {
            let said = current_header(copies, true).expect_err("no copy is valid");
            assert!(matches!(
                said.fault(),
                StorageFault::UnsupportedFormat { found: 99, .. }
            ));
        }
    }

    #[test]
    fn damage_and_other_versions_are_told_apart() {
        let bytes = header().encode();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            match Header::decode(&damaged).map_err(StorageError::into_fault) {
                Err(StorageFault::UnsupportedFormat { .. }) => {
                    assert!((VERSION_AT..PAGE_SIZE_AT).contains(&at))
                }
                Err(StorageFault::Corrupt { page: 0, .. }) => {}
                other => panic!("byte {at}: {other:?}"),
            }
        }
        assert!(Header::decode(&bytes[..40]).is_err());
        assert!(Header::decode(&[]).is_err());
    }
}
