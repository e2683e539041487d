//! The two error layers and the table of every error code.
//!
//! `StorageError` is a failure of pages, trees and devices; `CommandError` is an error that a client sees. Invariant:
//! every code that leaves the engine has a row in `CODES`, or is a location code (a five-digit number that MongoDB
//! names `Location<number>`).

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A failure of pages, trees, commits or devices.
///
/// One word wide, so that a result is passed on in a register; `StorageFault` has the kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageError(Box<StorageFault>);

/// The kinds of storage failures, with their facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageFault {
    /// A page's checksum, number, sequence or structure is wrong.
    Corrupt { page: u64, reason: String },
    /// The page is valid but not in memory: fetch it and run the command again.
    NotResident { page: u64 },
    /// The header carries a format version this build does not know.
    UnsupportedFormat { found: u32, supported: u32 },
    /// The device cannot grow (quota, or the page limit).
    OutOfSpace,
    /// The heap has reached its cap.
    OutOfMemory,
    /// The deployment was made read-only; the reason is for a person.
    ReadOnly { reason: String },
    /// Another writer committed since this deployment was read.
    Fenced { stored: u64, expected: u64 },
    /// The device failed.
    Device { reason: String },
    /// An invariant of the engine is broken; nothing of this command may be persisted.
    Broken { reason: String },
    /// A walk over many pages asked whether to go on, and was told why not.
    Stopped { by: CommandError },
}

/// The constructors of `StorageError`, one a fault.
macro_rules! faults {
    ($($name:ident => $fault:ident($($field:ident: $kind:ty),*),)*) => {
        impl StorageError {$(
            #[doc = concat!("`StorageFault::", stringify!($fault), "`.")]
            #[cold]
            #[inline(never)]
            pub fn $name($($field: $kind),*) -> Self {
                Self(Box::new(StorageFault::$fault { $($field: $field.into()),* }))
            }
        )*}
    };
}

faults! {
    corrupt => Corrupt(page: u64, reason: impl Into<String>),
    not_resident => NotResident(page: u64),
    unsupported_format => UnsupportedFormat(found: u32, supported: u32),
    out_of_space => OutOfSpace(),
    out_of_memory => OutOfMemory(),
    read_only => ReadOnly(reason: impl Into<String>),
    fenced => Fenced(stored: u64, expected: u64),
    device => Device(reason: impl Into<String>),
    broken => Broken(reason: impl Into<String>),
    stopped => Stopped(by: CommandError),
}

impl StorageError {
    /// The kind of failure, with its facts.
    pub fn fault(&self) -> &StorageFault {
        &self.0
    }

    /// Whether it is damage.
    pub fn is_corrupt(&self) -> bool {
        matches!(self.fault(), StorageFault::Corrupt { .. })
    }

    /// The owned form of `fault`.
    pub fn into_fault(self) -> StorageFault {
        *self.0
    }
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for StorageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrupt { page, reason } => write!(f, "page {page} is corrupt: {reason}"),
            Self::NotResident { page } => write!(f, "page {page} is not resident"),
            Self::UnsupportedFormat { found, supported } => write!(
                f,
                "format version {found} is not supported (this build reads {supported})"
            ),
            Self::OutOfSpace => f.write_str("out of storage space"),
            Self::OutOfMemory => f.write_str(
                "the engine's memory has reached its limit (maxMemoryBytes); delete documents or raise the limit",
            ),
            Self::ReadOnly { reason } => write!(f, "the deployment is read-only: {reason}"),
            Self::Fenced { stored, expected } => write!(
                f,
                "another writer committed sequence {stored}; expected {expected}"
            ),
            Self::Device { reason } => write!(f, "storage device: {reason}"),
            Self::Broken { reason } => write!(f, "broken invariant: {reason}"),
            Self::Stopped { by } => f.write_str(&by.message),
        }
    }
}

impl std::error::Error for StorageError {}

/// An error reply: `{ok: 0, errmsg, code, codeName}` and the code's extra fields.
///
/// One word wide: thousands of `?` pass it on, and each would copy all fields that it held inline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandError(Box<Failure>);

/// The fields of a `CommandError`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The numeric code a driver sees.
    pub code: i32,
    /// The message, worded for a person.
    pub message: String,
    /// A BSON document whose fields are added to the error (for 11000 `keyPattern` and `keyValue`).
    pub details: Option<Vec<u8>>,
    /// Set when a page must be loaded before the command can run.
    pub missing_page: Option<u64>,
    /// Set when the heap had no more room: the command may run once others hold less.
    pub wants_room: bool,
    /// Set when the transaction that the command is of ends with it.
    pub ends_transaction: bool,
}

impl CommandError {
    /// An error with a code of the table.
    #[cold]
    #[inline(never)]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::of(code as i32, message.into())
    }

    /// An error that MongoDB numbers but does not name: `Location<number>`.
    #[cold]
    #[inline(never)]
    pub fn location(number: i32, message: impl Into<String>) -> Self {
        Self::of(number, message.into())
    }

    #[cold]
    #[inline(never)]
    fn of(code: i32, message: String) -> Self {
        Self(Box::new(Failure {
            code,
            message,
            details: None,
            missing_page: None,
            wants_room: false,
            ends_transaction: false,
        }))
    }

    /// The same error with other words.
    #[cold]
    #[inline(never)]
    pub fn with_message(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    /// Adds a BSON document whose fields the error reply carries.
    pub fn with_details(mut self, details: Vec<u8>) -> Self {
        self.details = Some(details);
        self
    }

    /// The same error, introduced by the action that failed.
    pub fn within(mut self, what: &str) -> Self {
        self.message = format!("{what} :: caused by :: {}", self.message);
        self
    }

    /// Whether the whole command ends with this error, even where its parts keep theirs: a page is missing, the command
    /// was stopped, or its transaction ends.
    pub fn ends_command(&self) -> bool {
        const STOPPED: [i32; 2] = [Code::MaxTimeMSExpired as i32, Code::Interrupted as i32];
        self.missing_page.is_some() || self.ends_transaction || STOPPED.contains(&self.code)
    }

    /// The `codeName` of the reply.
    pub fn code_name(&self) -> String {
        match CODES.iter().find(|(code, _)| *code as i32 == self.code) {
            Some((_, name)) => (*name).to_owned(),
            None => format!("Location{}", self.code),
        }
    }
}

impl Deref for CommandError {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0
    }
}

impl DerefMut for CommandError {
    fn deref_mut(&mut self) -> &mut Failure {
        &mut self.0
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.code_name(), self.code, self.message)
    }
}

impl std::error::Error for CommandError {}

impl From<StorageError> for CommandError {
    #[cold]
    #[inline(never)]
    fn from(error: StorageError) -> Self {
        let code = match error.fault() {
            StorageFault::Stopped { by } => return by.clone(),
            StorageFault::OutOfSpace => Code::OutOfDiskSpace,
            StorageFault::OutOfMemory => Code::ExceededMemoryLimit,
            StorageFault::ReadOnly { .. } => Code::IllegalOperation,
            StorageFault::UnsupportedFormat { .. } => Code::UnsupportedFormat,
            StorageFault::Broken { .. } => Code::InternalError,
            StorageFault::Corrupt { .. } => Code::DataCorruptionDetected,
            StorageFault::NotResident { .. }
            | StorageFault::Fenced { .. }
            | StorageFault::Device { .. } => Code::FileStreamFailed,
        };
        let missing_page = match error.fault() {
            StorageFault::NotResident { page } => Some(*page),
            _ => None,
        };
        let mut said = Self::of(code as i32, error.to_string());
        said.missing_page = missing_page;
        said.wants_room = matches!(error.fault(), StorageFault::OutOfMemory);
        said
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal,)*) => {
        /// Every named error code, with MongoDB's number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code { $($name = $number,)* }
        /// The table of named codes, sorted by number.
        pub const CODES: &[(Code, &str)] = &[$((Code::$name, stringify!($name)),)*];
    };
}

codes! {
    InternalError = 1,
    BadValue = 2,
    GraphContainsCycle = 5,
    NoSuchKey = 4,
    FailedToParse = 9,
    UserNotFound = 11,
    UnsupportedFormat = 12,
    Unauthorized = 13,
    TypeMismatch = 14,
    Overflow = 15,
    InvalidLength = 16,
    IllegalOperation = 20,
    InvalidBSON = 22,
    AlreadyInitialized = 23,
    LockTimeout = 24,
    NamespaceNotFound = 26,
    IndexNotFound = 27,
    PathNotViable = 28,
    RoleNotFound = 31,
    CannotBackfillArray = 34,
    FileStreamFailed = 39,
    ConflictingUpdateOperators = 40,
    CursorNotFound = 43,
    NoMatchingDocument = 47,
    NamespaceExists = 48,
    InvalidRoleModification = 49,
    MaxTimeMSExpired = 50,
    DollarPrefixedFieldName = 52,
    InvalidIdField = 53,
    NotSingleValueField = 54,
    InvalidDBRef = 55,
    EmptyFieldName = 56,
    CommandNotFound = 59,
    ImmutableField = 66,
    CannotCreateIndex = 67,
    IndexAlreadyExists = 68,
    InvalidOptions = 72,
    InvalidNamespace = 73,
    NoReplicationEnabled = 76,
    UnknownReplWriteConcern = 79,
    IndexOptionsConflict = 85,
    IndexKeySpecsConflict = 86,
    OperationFailed = 96,
    UnsatisfiableWriteConcern = 100,
    NotExactValueField = 111,
    WriteConflict = 112,
    CommandNotSupported = 115,
    ConflictingOperationInProgress = 117,
    DocumentValidationFailure = 121,
    NotAReplicaSet = 123,
    CommandFailed = 125,
    CappedPositionLost = 136,
    JSInterpreterFailure = 139,
    ExceededMemoryLimit = 146,
    IncompatibleCollationVersion = 161,
    ViewDepthLimitExceeded = 165,
    CommandNotSupportedOnView = 166,
    OptionNotSupportedOnView = 167,
    InvalidPipelineOperator = 168,
    CannotIndexParallelArrays = 171,
    QueryPlanKilled = 175,
    AmbiguousIndexKeyPattern = 181,
    InvalidIndexSpecificationOption = 197,
    CannotBuildIndexKeys = 201,
    ClusterTimeFailsRateLimiter = 205,
    InvalidUUID = 207,
    QueryFeatureNotAllowed = 224,
    TransactionTooOld = 225,
    MaxSubPipelineDepthExceeded = 232,
    NotImplemented = 238,
    SnapshotTooOld = 239,
    ConversionFailure = 241,
    SnapshotUnavailable = 246,
    NoSuchTransaction = 251,
    TransactionCommitted = 256,
    TransactionTooLarge = 257,
    InvalidResumeToken = 260,
    TooManyLogicalSessions = 261,
    OperationNotSupportedInTransaction = 263,
    DataCorruptionDetected = 275,
    UnsatisfiableCommitQuorum = 278,
    ChangeStreamFatalError = 280,
    ChangeStreamHistoryLost = 286,
    NoQueryExecutionPlans = 291,
    QueryExceededMemoryLimitNoDiskUseAllowed = 292,
    APIVersionError = 322,
    APIStrictError = 323,
    APIMismatchError = 347,
    CannotConvertIndexToUnique = 359,
    CollectionUUIDMismatch = 361,
    QueryRejectedBySettings = 411,
    BSONObjectTooLarge = 10334,
    DuplicateKey = 11000,
    Interrupted = 11601,
    MergeStageNoMatchingDocument = 13113,
    DatabaseDifferCase = 13297,
    OutOfDiskSpace = 14031,
    IDLDuplicateField = 40413,
    IDLFailedToParse = 40414,
    IDLUnknownField = 40415,
    NotARetryableWriteCommand = 50768,
}
