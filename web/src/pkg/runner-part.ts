/**
 * The same as `worker/runner-part.ts` in the npm package's worker: the part lies at an address that the page gives.
 *
 * Invariants: worker and part are scripts and no modules. Bundlers and test runners rewrite each `import()` that they
 * see, and many can make no worker of several files. The part tells its members by a global.
 */
import type { WorkerAssets } from "../protocol/messages.ts";
import { scriptAddress } from "../start/trusted.ts";
import type { RunnerPart } from "../worker/runner-part.ts";

/** Where `pkg/runner.ts` puts the part, and how a worker takes a script in. */
export interface RunnerRealm {
  quireRunner?: RunnerPart;
  importScripts?(address: string): void;
}

export async function runnerPart(assets: WorkerAssets | null): Promise<RunnerPart> {
  const address = assets?.runner;
  if (address === undefined) throw new Error("the page gave no address of runner.js");
  const realm = globalThis as RunnerRealm;
  if (realm.quireRunner === undefined) realm.importScripts?.(scriptAddress(address));
  if (realm.quireRunner === undefined) throw new Error(`${address} is no runner.js of this package`);
  return realm.quireRunner;
}
