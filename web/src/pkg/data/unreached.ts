/**
 * Why a deployment cannot be reached, for a person who gives an address the first time.
 *
 * Invariant: one sentence that names the address, without its password, and where the cause is known what to do.
 */

/** What an address lacks, before anybody is asked; null for one that may be right. */
export function addressFault(address: string): string | null {
  if (!/^mongodb(?:\+srv)?:\/\//.test(address)) {
    const isFile = /\.(?:quire|archive|gz|bson|json)$/.test(address);
    return isFile
      ? `the address comes first (mongodb://…), and ${address} behind it`
      : `${address.replace(/\/\/.*@/s, "//***@")} is no address of MongoDB's: ` +
          "those begin with mongodb:// or mongodb+srv://";
  }
  const placeholder = /<[\w ]+>/.exec(address);
  if (placeholder !== null) return `the address still has ${placeholder[0]} in it, in the place of what is meant by it`;
  const [, rest = ""] = /^[^:]+:\/\/([^?]*)/.exec(address) ?? [];
  if (rest.replace(/\/.*/s, "") === "") return "the address names no host: mongodb://HOST:PORT/";
  if (/[@:/].*@.*@|:[^@]*\/[^@]*@/.test(rest))
    return "a user or password with @ : / or % in it is written with %40 %3A %2F or %25 in their places";
  return null;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";

/** The sentence. */
export function unreached(error: unknown, uri: string, shown: string): string {
  const message = messageOf(error);
  const code = Number((error as { code?: unknown } | null)?.code ?? Number.NaN);
  if (code === 18 || code === 8000 || /authentication failed|bad auth/i.test(message))
    return (
      `${shown} refuses this user and password: is each spelt right? ` +
      "A user that belongs to another database needs ?authSource=NAME in the address"
    );
  const hint = hintFor(message, uri);
  return `${shown} cannot be reached: ${message}${hint === null ? "" : ` (${hint})`}`;
}

function hintFor(message: string, uri: string): string | null {
  if (/ECONNREFUSED/.test(message)) return "nothing listens there: is the server started, and is the port right?";
  if (/ENOTFOUND _mongodb|querySrv|ENODATA/.test(message))
    return "mongodb+srv:// needs a cluster's name, as Atlas shows it: is it spelt right?";
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return "there is no such host: is its name spelt right?";
  if (/Invalid connection string|Unable to parse|URI/i.test(message) || /URI malformed/.test(message))
    return "its form is mongodb://USER:PASSWORD@HOST:PORT/?OPTION=VALUE";
  if (/timed out|ETIMEDOUT|tls|ssl/i.test(message))
    return /\.mongodb\.net/.test(uri)
      ? "is this machine in the IP access list of the cluster?"
      : "is it the right port, replicaSet= and tls= in the address?";
  return null;
}
