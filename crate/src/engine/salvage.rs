//! Opening a damaged deployment, however it is damaged: a read-only copy in memory of all that can still be read.
//!
//! The copy is an ordinary deployment, so the code that exports a deployment exports the readable documents of a
//! damaged one; `quireSalvage` lists the losses. It is the successor of the damaged one: its batch, where the host
//! writes it, repairs the store in one commit. Invariant: the stored pages are only read.

use super::Engine;
use super::watched::Watched;
use crate::catalog;
use crate::env::Env;
use crate::env::heap::Room;
use crate::error::{CommandError, StorageError};
use crate::query::PartialFilterCompiler;
use crate::storage::{Buffer, CommitBatch, PageNumber, Pager};

impl Engine {
    /// A deployment in memory with every document that can be read of these pages, read-only. `header` is the stored
    /// header record, if one can be read; the pages come in order of their numbers.
    ///
    /// # Errors
    /// Another format version; memory; the host's wish to end it.
    pub fn salvage(
        header: Option<&[u8]>,
        pages: Vec<(PageNumber, Buffer)>,
        env: &dyn Env,
    ) -> Result<Self, CommandError> {
        let old = Pager::of_remains(header, pages)?;
        let watched = Watched::new(env, Room::UNCAPPED, env.monotonic_millis(), 0);
        let mut engine = Self::create(env)?;
        let base = &mut engine.base;
        base.pages.succeed(&old, header.is_some())?;
        let compiler = PartialFilterCompiler { env };
        let mut unit = base.begin(false);
        let salvaged = { unit.writer() }.salvage(&old, header.is_some(), &compiler, &watched)?;
        base.catalog.begin_use_counts(env.now_millis());
        engine.deployment.salvaged = Some(Box::new(salvaged));
        engine.set_read_only(
            "it holds what could be read of a damaged deployment, to be exported".to_owned(),
        );
        Ok(engine)
    }

    /// The batch that puts a salvaged deployment in the place of the damaged one; `None` where nothing was lost, and
    /// for a deployment that was not salvaged.
    ///
    /// # Errors
    /// Those of `take_batch`.
    pub fn take_repair(&mut self) -> Result<Option<CommitBatch>, StorageError> {
        let salvaged = self.deployment.salvaged.as_deref();
        if salvaged.is_none_or(catalog::salvage::Salvaged::is_whole) {
            return Ok(None);
        }
        self.take_batch()?;
        Ok(self.base.pages.unconfirmed_batch())
    }
}
