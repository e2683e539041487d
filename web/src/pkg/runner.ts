/** `runner.js`: the part of the package's worker that scripts need (`runner-part.ts`). */
import { makeMoments, Runner } from "../worker/runner.ts";
import type { RunnerRealm } from "./runner-part.ts";

(globalThis as RunnerRealm).quireRunner = { Runner, makeMoments };
