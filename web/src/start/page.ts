/**
 * A small script of its own, before all others: for a reader who has run scripts here before it starts the worker,
 * which opens the deployment and makes the sandbox while the page is still being read and drawn.
 *
 * Invariants: for anybody else nothing is fetched that the page does not need to be drawn. A failure here is left to
 * the page, which then begins for itself. It is a classic script, since those are run as soon as they have come;
 * everything it needs is in it.
 */
import "../../public/theme.js";
import type { WorkerMessage } from "../protocol/messages.ts";
import { wordOpening } from "./opening.ts";
import { historyKey } from "./kept-keys.ts";
import { deploymentOf } from "./deployment.ts";
import { leaveEarly, OPENING_ID } from "./early.ts";
import { scriptAddress } from "./trusted.ts";

/** Filled in by the build (`build/first-script.ts`): addresses relative to this script's. */
declare const QUIRE_START: {
  readonly worker: string;
  readonly engineWasm: string;
  readonly sandboxWasm: string;
  readonly languagesWasm: string;
  readonly preludeImage: string;
};

/** Whether scripts were run here before. */
function hasRun(): boolean {
  try {
    return (localStorage.getItem(historyKey) ?? "[]") !== "[]";
  } catch {
    return false;
  }
}

function begin(own: string): void {
  const at = (path: string): string => new URL(path, own).href;
  const probeUrl = URL.createObjectURL(new Blob(["run"]));
  const assets = {
    engineWasm: at(QUIRE_START.engineWasm),
    sandboxWasm: at(QUIRE_START.sandboxWasm),
    languagesWasm: at(QUIRE_START.languagesWasm),
    preludeImage: at(QUIRE_START.preludeImage),
  };
  const name = wordOpening([
    // The page will be busy with its own scripts and could not pass the code on: the worker asks for it itself.
    { kind: "engine-code", module: null },
    { kind: "open", id: OPENING_ID, deployment: deploymentOf(location.search), assets, probeUrl },
    { kind: "run-soon" },
  ]);
  const worker = new Worker(scriptAddress(at(QUIRE_START.worker)), { type: "module", name });
  const heard: WorkerMessage[] = [];
  const keep = ({ data }: MessageEvent<WorkerMessage>): void => void heard.push(data);
  const fail = (event: Event): void => {
    event.preventDefault();
    early.failed = true;
  };
  worker.addEventListener("message", keep);
  worker.addEventListener("messageerror", fail);
  worker.addEventListener("error", fail);
  const early = {
    worker,
    heard,
    failed: false,
    probeUrl,
    leave: (): void => {
      worker.removeEventListener("message", keep);
      worker.removeEventListener("messageerror", fail);
      worker.removeEventListener("error", fail);
    },
  };
  leaveEarly(early);
}

const { currentScript } = document;
// A frame in another's page waits for its turn.
if (parent === window && currentScript instanceof HTMLScriptElement && hasRun()) {
  try {
    begin(currentScript.src);
  } catch {
    // No workers or no blobs here: the page says so when it begins itself.
  }
}
