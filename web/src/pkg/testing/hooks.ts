/**
 * A server by the hooks of a test runner: `node:test`, Vitest, Jest, Mocha.
 *
 * Invariant: each test begins from the state that `prepare` left.
 */
import { MongoMemoryReplSet } from "./replica-set.ts";
import type { MongoMemoryReplSetOpts } from "./options.ts";

/** Registers what a runner calls. */
type Hook = (call: () => Promise<void>) => unknown;

/** The hooks of a runner, by the names of `node:test` and Mocha or by those of Vitest and Jest. */
export interface Hooks {
  readonly before?: Hook;
  readonly beforeAll?: Hook;
  readonly beforeEach: Hook;
  readonly after?: Hook;
  readonly afterAll?: Hook;
}

export interface HookOptions extends MongoMemoryReplSetOpts {
  /** Puts in the data with which each test begins. */
  readonly prepare?: (uri: string) => unknown;
}

/**
 * Has a server run while the tests of a file or a suite do:
 *
 * ```js
 * import { after, before, beforeEach, test } from "node:test";
 * const server = serverFor({ before, beforeEach, after }, { prepare: async (uri) => { … } });
 * ```
 */
export function serverFor(hooks: Hooks, { prepare, ...options }: HookOptions = {}): MongoMemoryReplSet {
  const [before, after] = [hooks.before ?? hooks.beforeAll, hooks.after ?? hooks.afterAll];
  if (before === undefined || after === undefined)
    throw new TypeError("serverFor needs before (or beforeAll), beforeEach and after (or afterAll)");
  const set = new MongoMemoryReplSet(options);
  before(async () => {
    await set.start();
    await prepare?.(set.getUri());
    await set.snapshot();
  });
  hooks.beforeEach(() => set.restore());
  after(async () => void (await set.stop()));
  return set;
}
