/**
 * `quiredb/testing`: MongoDB for a test suite, in the place of mongodb-memory-server.
 *
 * ```js
 * const server = await MongoMemoryServer.create();
 * await mongoose.connect(server.getUri());
 * ```
 */
export {
  MongoMemoryServer,
  MongoMemoryServerStates,
  type MongoInstanceData,
  type MongoMemoryServerState,
  type Snapshot,
} from "./testing/memory-server.ts";
export {
  MongoMemoryReplSet,
  MongoMemoryReplSetStates,
  type MongoMemoryReplSetState,
} from "./testing/replica-set.ts";
export { serverFor, type HookOptions, type Hooks } from "./testing/hooks.ts";
export type {
  AutomaticAuth,
  Cleanup,
  DisposeOptions,
  MemberOptions,
  MongoMemoryInstanceOpts,
  MongoMemoryReplSetOpts,
  MongoMemoryServerOpts,
  ReplSetOpts,
  StorageEngine,
} from "./testing/options.ts";
