/**
 * Which deployment a visit to the playground opens: the one that its address names, `?deployment=ID`, and otherwise the
 * main one; and what it presents itself as, `?topology=standalone`. Invariant: this file is all that a script which
 * runs before the page needs for that. An id is part of the name under which the browser keeps the deployment, whatever
 * the reader calls it.
 */
import type { Deployment } from "../protocol/messages.ts";

/** The parameter of the address. */
export const DEPLOYMENT = "deployment";
/** What the deployment presents itself as during the visit. */
export const TOPOLOGY = "topology";
/** The id of the deployment that every visit without one opens. */
export const mainDeployment = "playground";

const allowed = /^[a-z0-9][a-z0-9_-]{0,39}$/i;

/** The id which an address names; the main deployment's where it names none that can be. */
export function deploymentId(search: string): string {
  const id = new URLSearchParams(search).get(DEPLOYMENT) ?? "";
  return allowed.test(id) ? id : mainDeployment;
}

/** Under which name the browser keeps a deployment: apart from those of other programs of this origin. */
export const storedName = (id: string): string => (id === mainDeployment ? id : `${mainDeployment}.${id}`);

/** Where it cannot be stored, the page works in memory and says so. */
export const deploymentOf = (search: string): Deployment => ({
  name: storedName(deploymentId(search)),
  storage: "indexeddb",
  orMemory: true,
  ...(new URLSearchParams(search).get(TOPOLOGY) === "standalone" ? { topology: "standalone" } : {}),
});
