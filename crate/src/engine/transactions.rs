//! Commands of transactions, and what becomes of the open ones when another writer moves the deployment on.

use super::{Call, Engine};
use crate::catalog::FilterCompiler;
use crate::command::session::transactions::{enter, labelled, leave};
use crate::env::Env;
use crate::error::CommandError;
use crate::storage::{Buffer, Durability, PageNumber, Pager};

impl Engine {
    /// Runs a command that is of a transaction.
    #[inline(never)]
    pub(super) fn run_within(
        &mut self,
        call: &Call<'_>,
        durability: Durability,
        now_millis: i64,
        env: &dyn Env,
    ) -> Result<(Vec<u8>, Durability, bool), CommandError> {
        let (base, deployment) = (&mut self.base, &mut self.deployment);
        let session = call.named.1.session.unwrap_or_default();
        let own = enter(base, deployment, call.named, now_millis).map_err(labelled)?;
        let Some(mut own) = own else {
            let reply = self.dispatch_with_room(call, None, now_millis, env);
            return Ok((reply.map_err(labelled)?, durability, call.writes));
        };
        let result = self.dispatch_with_room(call, Some(&mut own), now_millis, env);
        let (base, deployment) = (&mut self.base, &mut self.deployment);
        let reply = leave(base, deployment, &session, own, result).map_err(labelled)?;
        // Nothing of it is there to be stored.
        Ok((reply, durability, false))
    }

    /// Replaces the pages by another writer's. Transactions go on over the state that they began on, unless something
    /// of that was never stored.
    pub(super) fn replace(
        &mut self,
        pager: Pager,
        compiler: &dyn FilterCompiler,
    ) -> Result<(), CommandError> {
        let transactions = &mut self.deployment.transactions;
        transactions.take_arrived(&self.base.pages);
        let is_stored = self.base.is_stored();
        self.base.replace(pager, compiler)?;
        match is_stored {
            true => transactions.leave(),
            false => transactions.abort_of(&mut self.base.claims, &|_| true),
        }
        Ok(())
    }

    /// Moves on to another writer's state, as `replace`.
    pub(super) fn move_on(
        &mut self,
        header: &[u8],
        changed: Vec<(PageNumber, Buffer)>,
        compiler: &dyn FilterCompiler,
    ) -> Result<(), CommandError> {
        let transactions = &mut self.deployment.transactions;
        transactions.take_arrived(&self.base.pages);
        let moved = self.base.move_on(header, changed, compiler);
        // After an error the deployment is loaded anew.
        transactions.leave();
        moved
    }
}
