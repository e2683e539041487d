/**
 * The same as `worker/runner-part.ts` in the npm package's worker: the part lies at an address that the page gives.
 *
 * Invariants: bundlers leave this `import()` alone, since a worker of several files is more than some can make. The part
 * tells its members by a global: a bundler may make a script of it, which exports nothing.
 */
import type { WorkerAssets } from "../protocol/messages.ts";
import type { RunnerPart } from "../worker/runner-part.ts";

/** Where `pkg/runner.ts` puts the part. */
export interface RunnerRealm {
  quireRunner?: RunnerPart;
}

export async function runnerPart(assets: WorkerAssets | null): Promise<RunnerPart> {
  const address = assets?.runner;
  if (address === undefined) throw new Error("the page gave no address of runner.js");
  const realm = globalThis as RunnerRealm;
  if (realm.quireRunner === undefined) await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
  if (realm.quireRunner === undefined) throw new Error(`${address} is no runner.js of this package`);
  return realm.quireRunner;
}
