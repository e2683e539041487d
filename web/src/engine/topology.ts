/** What a deployment presents itself as towards drivers. */

/** The only member of replica set `quire`, or a standalone, which has no transactions. */
export type Topology = "replicaSet" | "standalone";

/** Why a topology is refused, for a person; null when it can be had. */
export function topologyFault(topology: unknown): string | null {
  if (topology === undefined || topology === "replicaSet" || topology === "standalone") return null;
  return `topology must be "replicaSet" or "standalone", not ${JSON.stringify(topology)}`;
}
