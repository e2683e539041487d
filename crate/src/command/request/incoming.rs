//! A command on its way in: which one it is, and the fields that any of them may carry.
//!
//! ```text
//! {find: "c", filter: {…}, $db: "d", lsid: {…}, writeConcern: {j: true}}
//!  └ row, name, argument       └ database └ session  └ durability
//! ```
//! Invariants: each of these is read and checked once, here; fields that most commands do without are read in functions
//! of their own, because a browser compiles a function whole when it is first called.

use super::cluster_time::{self, ReadTime, Times};
use super::transaction::{self, Within};
use super::write_concern::{self, Acknowledged};
use super::{Request, read_concern, session, stable_api};
use crate::bson::{Document, ValueRef};
use crate::catalog;
use crate::command::row::InTransactions;
use crate::command::table::{self, CommandRow};
use crate::command::topology::Topology;
use crate::error::{Code, CommandError};
use crate::query::integer::exact_integer;
use crate::state::session_id::SessionId;
use crate::storage::Durability;

/// A command that is known and may be run.
pub struct Incoming<'a> {
    pub row: &'static CommandRow,
    pub request: Request<'a>,
    /// How durable it wants its changes to be when it is answered.
    pub acknowledged: Acknowledged,
    /// The cluster times that it brings along.
    pub times: Times,
}

/// The fields that any command may carry, read in one walk: most commands have none but `$db`.
struct GenericFields<'a> {
    database: ValueRef<'a>,
    session: ValueRef<'a>,
    write_concern: ValueRef<'a>,
    max_time: ValueRef<'a>,
    comment: ValueRef<'a>,
    cluster_time: ValueRef<'a>,
    help: ValueRef<'a>,
    /// Whether any of those is there that `check_rare` looks at.
    has_rare: bool,
}

impl<'a> GenericFields<'a> {
    fn read(document: Document<'a>) -> Self {
        let mut fields = Self {
            database: ValueRef::Missing,
            session: ValueRef::Missing,
            write_concern: ValueRef::Missing,
            max_time: ValueRef::Missing,
            comment: ValueRef::Missing,
            cluster_time: ValueRef::Missing,
            help: ValueRef::Missing,
            has_rare: false,
        };
        for element in document.raw_elements() {
            let slot = match element.name {
                b"$db" => &mut fields.database,
                b"lsid" => &mut fields.session,
                b"comment" => &mut fields.comment,
                b"$clusterTime" => &mut fields.cluster_time,
                b"help" => &mut fields.help,
                b"maxTimeMS" => &mut fields.max_time,
                b"writeConcern" => &mut fields.write_concern,
                b"txnNumber"
                | b"autocommit"
                | b"startTransaction"
                | b"apiVersion"
                | b"apiStrict"
                | b"apiDeprecationErrors"
                | b"readConcern" => {
                    fields.has_rare = true;
                    continue;
                }
                _ => continue,
            };
            // The first field of a name counts.
            if slot.is_missing() {
                *slot = element.value();
            }
        }
        fields
    }
}

impl<'a> Incoming<'a> {
    /// Finds the command of a validated document, and reads the fields common to all commands.
    ///
    /// # Errors
    /// 59 `CommandNotFound`, 13 `Unauthorized` beside `admin` for a command of `admin`; a missing or wrong `$db`;
    /// options of sessions, transactions, the Stable API, read and write concern, and `maxTimeMS` that a standalone
    /// refuses.
    pub fn read(
        document: Document<'a>,
        nesting: usize,
        topology: Topology,
    ) -> Result<Self, CommandError> {
        let Some(first) = document.iter().next() else {
            return Err(unknown(""));
        };
        let fields = GenericFields::read(document);
        let database = database(first.name, fields.database)?;
        Self::of(document, (nesting, topology), fields, database)
    }

    /// Finds a command that another one is to run, on the database and in the session of that one unless it says
    /// otherwise itself.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn inside(document: Document<'a>, outer: &Request<'a>) -> Result<Self, CommandError> {
        let name = document.iter().next().map_or("", |first| first.name);
        let fields = GenericFields::read(document);
        let database = match fields.database {
            ValueRef::Missing => outer.database,
            given => database(name, given)?,
        };
        let of = (outer.nesting, outer.topology);
        let mut inside = Self::of(document, of, fields, database)?;
        let request = &mut inside.request;
        request.session = request.session.or(outer.session);
        request.transaction = request.transaction.or(outer.transaction);
        Ok(inside)
    }

    fn of(
        document: Document<'a>,
        (nesting, topology): (usize, Topology),
        fields: GenericFields<'a>,
        database: &'a str,
    ) -> Result<Self, CommandError> {
        let Some(first) = document.iter().next() else {
            return Err(unknown(""));
        };
        let row = table::find(first.name).ok_or_else(|| unknown(first.name))?;
        // A request with `help` gets the help, even if its other fields are wrong.
        let row = match fields.help.is_truthy() {
            true => &table::HELP,
            false => row,
        };
        // In a transaction the command is refused for that.
        let is_refused = || {
            matches!(row.in_transactions, InTransactions::Never { .. })
                && !document.get("autocommit").is_nullish()
        };
        if row.admin_only && database != "admin" && !is_refused() {
            return Err(CommandError::new(
                Code::Unauthorized,
                format!("{} may only be run against the admin database.", row.name),
            ));
        }
        let session = session::read(fields.session)?;
        let mut rare = Rare::default();
        if fields.has_rare {
            rare = Rare::read(document, session, row, topology)?;
        }
        if topology.is_replica_set() {
            rare.times.known = cluster_time::read(fields.cluster_time)?;
        }
        let Rare {
            transaction,
            write_number,
            times,
        } = rare;
        if transaction.is_some()
            && !fields.write_concern.is_nullish()
            && !matches!(row.in_transactions, InTransactions::Ends { .. })
        {
            return Err(CommandError::new(
                Code::InvalidOptions,
                "writeConcern is not allowed within a multi-statement transaction",
            ));
        }
        let mut acknowledged =
            write_concern::parse(fields.write_concern, row.has_write_concern(), topology)?;
        if row.is_durable {
            acknowledged.durability = Durability::Strict;
        }
        let request = Request {
            document,
            name: first.name,
            argument: first.value,
            database,
            nesting,
            max_time_millis: match fields.max_time {
                ValueRef::Missing | ValueRef::Null => 0,
                given => max_time(given)?,
            },
            comment: fields.comment,
            session,
            transaction,
            write_number,
            topology,
        };
        Ok(Self {
            row,
            request,
            acknowledged,
            times,
        })
    }
}

#[cold]
fn unknown(name: &str) -> CommandError {
    CommandError::new(Code::CommandNotFound, format!("no such command: '{name}'"))
}

/// The database that a command names in `$db`.
fn database<'a>(command: &str, given: ValueRef<'a>) -> Result<&'a str, CommandError> {
    let name = match given {
        ValueRef::String(name) => catalog::names::of(name)?,
        ValueRef::Missing => {
            return Err(CommandError::location(
                40571,
                "OP_MSG requests require a $db argument",
            ));
        }
        other => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field '{command}.$db' is the wrong type '{}', expected type 'string'",
                    other.type_name()
                ),
            ));
        }
    };
    catalog::names::check_database(name)?;
    Ok(name)
}

/// What the fields say that few commands have.
#[derive(Default)]
struct Rare {
    /// The transaction that the command is of.
    transaction: Option<Within>,
    /// The number under which its writes can be retried.
    write_number: Option<i64>,
    times: Times,
}

impl Rare {
    // Apart: a browser compiles a function whole when it is first called.
    #[inline(never)]
    fn read(
        command: Document<'_>,
        session: Option<SessionId>,
        row: &CommandRow,
        topology: Topology,
    ) -> Result<Self, CommandError> {
        let transaction = transaction::read(command, session)?;
        let mut write_number = None;
        if transaction.is_none() && !command.get("txnNumber").is_nullish() {
            write_number = self::write_number(command, row, topology)?;
        }
        stable_api::check(command, row)?;
        let concern = command.get("readConcern");
        let read: Option<ReadTime> = match &transaction {
            None => read_concern::check(concern, row, topology)?,
            Some(within) => read_concern::check_within(concern, within.starts, row, topology)?,
        };
        Ok(Self {
            transaction,
            write_number,
            times: Times { known: None, read },
        })
    }
}

/// The number under which a command's writes can be retried.
///
/// # Errors
/// 20 `IllegalOperation` on a standalone, 50768 `NotARetryableWriteCommand`.
fn write_number(
    command: Document<'_>,
    row: &CommandRow,
    topology: Topology,
) -> Result<Option<i64>, CommandError> {
    if !topology.is_replica_set() {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "Transaction numbers are only allowed on a replica set member or mongos",
        ));
    }
    if !row.is_retryable {
        return Err(CommandError::new(
            Code::NotARetryableWriteCommand,
            format!(
                "txnNumber may only be provided for multi-document transactions and retryable write commands. \
                 autocommit:false was not provided, and {} is not a retryable write command.",
                row.name
            ),
        ));
    }
    Ok(command.get("txnNumber").as_exact_i64())
}

#[inline(never)]
fn max_time(value: ValueRef<'_>) -> Result<i64, CommandError> {
    if value.as_number().is_none() {
        return Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field 'maxTimeMS' is the wrong type '{}', expected types '[long, int, decimal, double]'",
                value.type_name()
            ),
        ));
    }
    let millis = exact_integer("maxTimeMS", value)?;
    match (0..=i64::from(i32::MAX)).contains(&millis) {
        true => Ok(millis),
        false => Err(CommandError::new(
            Code::BadValue,
            format!("{millis} value for maxTimeMS is out of range [0, 2147483647]"),
        )),
    }
}
