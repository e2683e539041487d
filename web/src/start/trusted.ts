/**
 * Addresses of scripts as a page takes them that enforces Trusted Types.
 *
 * Invariants: the policy `quire` lets through addresses of the page's own origin and nothing else. It is made once for
 * all of the page's scripts: a page that enforces Trusted Types allows each policy once. A page on a disk and one in a
 * sandboxed frame have an origin that no other shares, `null`: what they keep in memory has it too.
 */
interface Policy {
  createScriptURL(address: string): string;
}

interface Realm {
  readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  quireScripts?: Policy | undefined;
}

function own(address: string): string {
  const { origin, protocol } = new URL(address, location.href);
  const isOfMemory = origin === "null" && protocol === "blob:" && globalThis.origin === "null";
  if (origin !== location.origin && !isOfMemory) throw new TypeError(`${address} is not of this page's origin`);
  return address;
}

/** An address of a script of ours, as the browser takes it where the page's policy asks for Trusted Types. */
export function scriptAddress(address: string): string {
  const realm = globalThis as Realm;
  realm.quireScripts ??= realm.trustedTypes?.createPolicy("quire", { createScriptURL: own });
  return realm.quireScripts?.createScriptURL(address) ?? address;
}
