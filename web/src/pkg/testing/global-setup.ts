/**
 * `quiredb/testing/global-setup`: one server for all files of a run of Vitest or Jest.
 *
 * Its address is in `MONGO_URL` and `MONGO_URI` of the environment, which a runner's workers inherit; Vitest's `inject`
 * has it as `mongoUri`. Jest names this module as `globalTeardown` too, and has one function for both: it ends the
 * server that it began.
 */
import { MongoMemoryReplSet } from "../testing.ts";

/** What Vitest gives its global setups; Jest gives its configuration, which has no such thing. */
interface Given {
  readonly provide?: (name: string, value: string) => void;
}

const NAMES = ["MONGO_URL", "MONGO_URI"];

/** The server of the run of Jest that is under way. */
let ofJest: (() => Promise<void>) | null = null;

export default async function globalSetup(given?: Given): Promise<() => Promise<void>> {
  const ending = ofJest;
  ofJest = null;
  if (ending !== null) {
    await ending();
    return ending;
  }
  // The runner's own work must not hold up the commands of its workers.
  const server = await MongoMemoryReplSet.create({ replSet: { thread: "own" } });
  const before = NAMES.map((name) => process.env[name]);
  for (const name of NAMES) process.env[name] = server.getUri();
  const end = async (): Promise<void> => {
    for (const [at, name] of NAMES.entries()) {
      const value = before[at];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await server.stop();
  };
  if (given?.provide === undefined) ofJest = end;
  else given.provide("mongoUri", server.getUri());
  return end;
}
