/** The constants of the Node driver, by its names, each beside the type of its values. */

export const ReturnDocument = Object.freeze({ BEFORE: "before", AFTER: "after" } as const);
export type ReturnDocument = (typeof ReturnDocument)[keyof typeof ReturnDocument];

export const ServerApiVersion = Object.freeze({ v1: "1" } as const);
export type ServerApiVersion = (typeof ServerApiVersion)[keyof typeof ServerApiVersion];

export const ReadConcernLevel = Object.freeze({
  local: "local",
  majority: "majority",
  linearizable: "linearizable",
  available: "available",
  snapshot: "snapshot",
} as const);
export type ReadConcernLevel = (typeof ReadConcernLevel)[keyof typeof ReadConcernLevel];

export const ReadPreferenceMode = Object.freeze({
  primary: "primary",
  primaryPreferred: "primaryPreferred",
  secondary: "secondary",
  secondaryPreferred: "secondaryPreferred",
  nearest: "nearest",
} as const);
export type ReadPreferenceMode = (typeof ReadPreferenceMode)[keyof typeof ReadPreferenceMode];

export const ExplainVerbosity = Object.freeze({
  queryPlanner: "queryPlanner",
  queryPlannerExtended: "queryPlannerExtended",
  executionStats: "executionStats",
  allPlansExecution: "allPlansExecution",
} as const);
export type ExplainVerbosity = (typeof ExplainVerbosity)[keyof typeof ExplainVerbosity];

export const ProfilingLevel = Object.freeze({ off: "off", slowOnly: "slow_only", all: "all" } as const);
export type ProfilingLevel = (typeof ProfilingLevel)[keyof typeof ProfilingLevel];

export const CURSOR_FLAGS = Object.freeze([
  "tailable",
  "oplogReplay",
  "noCursorTimeout",
  "awaitData",
  "exhaust",
  "partial",
] as const);
export type CursorFlag = (typeof CURSOR_FLAGS)[number];

/** What `timeoutMS` of a cursor is for: its whole life, or each batch. */
export const CursorTimeoutMode = Object.freeze({ ITERATION: "iteration", LIFETIME: "cursorLifetime" } as const);
export type CursorTimeoutMode = (typeof CursorTimeoutMode)[keyof typeof CursorTimeoutMode];

export const BatchType = Object.freeze({ INSERT: 1, UPDATE: 2, DELETE: 3 } as const);
export type BatchType = (typeof BatchType)[keyof typeof BatchType];

/** Labels of errors that the engine or the client gives. */
export const MongoErrorLabel = Object.freeze({
  RetryableWriteError: "RetryableWriteError",
  TransientTransactionError: "TransientTransactionError",
  UnknownTransactionCommitResult: "UnknownTransactionCommitResult",
  ResumableChangeStreamError: "ResumableChangeStreamError",
  HandshakeError: "HandshakeError",
  ResetPool: "ResetPool",
  PoolRequestedRetry: "PoolRequestedRetry",
  InterruptInUseConnections: "InterruptInUseConnections",
  NoWritesPerformed: "NoWritesPerformed",
  RetryableError: "RetryableError",
  SystemOverloadedError: "SystemOverloadedError",
} as const);
export type MongoErrorLabel = (typeof MongoErrorLabel)[keyof typeof MongoErrorLabel];
