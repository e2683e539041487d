/**
 * SCRAM-SHA-256 and SCRAM-SHA-1, the server's side of them (RFC 5802, RFC 7677): a client proves that it knows the
 * password, and the server that it knows it too; neither says it.
 *
 * Invariant: of the password only what checks a proof is kept, and every failure is told in the same words.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";

/** How a mechanism makes its proofs. */
interface Kind {
  readonly hash: "sha1" | "sha256";
  readonly bytes: number;
  /** As in a server's `scramIterationCount` and `scramSHA256IterationCount`. */
  readonly iterations: number;
}

const KINDS = {
  "SCRAM-SHA-1": { hash: "sha1", bytes: 20, iterations: 10_000 },
  "SCRAM-SHA-256": { hash: "sha256", bytes: 32, iterations: 15_000 },
} as const satisfies Record<string, Kind>;

export type Mechanism = keyof typeof KINDS;

/** Whether it is a mechanism by which users can sign in. */
export const isMechanism = (name: unknown): name is Mechanism => typeof name === "string" && Object.hasOwn(KINDS, name);

/** What a server keeps of a password. */
export interface Proof {
  readonly iterations: number;
  /** In base64. */
  readonly salt: string;
  readonly storedKey: Uint8Array;
  readonly serverKey: Uint8Array;
}

const hmac = ({ hash }: Kind, key: Uint8Array, text: string): Buffer => createHmac(hash, key).update(text).digest();
const hashed = ({ hash }: Kind, bytes: Uint8Array): Buffer => createHash(hash).update(bytes).digest();

/** A password as SASLprep has it, as far as Unicode's compatible forms go: drivers send it so. */
const prepared = (password: string): string =>
  password
    .replace(/\u034f|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u00ad\u1806\u200b\u200c\u2060\ufeff]|\u200d/gu, "")
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu, " ")
    .normalize("NFKC");

/** The secret that a mechanism derives its keys from: without a user's name the password is that secret already. */
function secretOf(mechanism: Mechanism, user: string, password: string): string {
  if (mechanism === "SCRAM-SHA-256") return prepared(password);
  return user === "" ? password : createHash("md5").update(`${user}:mongo:${password}`).digest("hex");
}

export function proofOf(mechanism: Mechanism, user: string, password: string): Proof {
  const kind = KINDS[mechanism];
  const { iterations, bytes, hash } = kind;
  const salt = randomBytes(bytes - 4);
  const salted = pbkdf2Sync(secretOf(mechanism, user, password), salt, iterations, bytes, hash);
  return {
    iterations,
    salt: salt.toString("base64"),
    storedKey: hashed(kind, hmac(kind, salted, "Client Key")),
    serverKey: hmac(kind, salted, "Server Key"),
  };
}

/** The proofs of a new password, as `EngineHost.credentials` gives them to the engine. */
export function credentials(mechanism: string, user: string, password: string): string | undefined {
  if (!isMechanism(mechanism)) return undefined;
  const { iterations, salt, storedKey, serverKey } = proofOf(mechanism, user, password);
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
  return [iterations, salt, base64(storedKey), base64(serverKey)].join(",");
}

/** The attributes of a SCRAM message: `n=user,r=nonce`. */
function attributes(message: string): ReadonlyMap<string, string> {
  return new Map(message.split(",").map((part) => [part.slice(0, 1), part.slice(2)]));
}

/** One conversation. Each step gives what to answer, or null where the client is refused. */
export class Conversation {
  readonly #kind: Kind;
  readonly #name: string;
  readonly #proof: Proof;
  #messages = "";
  #nonce = "";
  #header = "";
  /** The client is known, and may have to say once more that it has nothing to add. */
  proven = false;
  /** The client wants no empty answer behind its proof. */
  skipsEmptyExchange = false;

  constructor(mechanism: Mechanism, name: string, proof: Proof) {
    this.#kind = KINDS[mechanism];
    this.#name = name;
    this.#proof = proof;
  }

  /** The client's first message: its name and the beginning of the nonce. */
  first(message: string): string | null {
    const { name, nonce, header, bare } = opened(message);
    if (name !== this.#name || nonce === undefined || nonce === "") return null;
    this.#header = header;
    this.#nonce = nonce + randomBytes(24).toString("base64");
    const answer = `r=${this.#nonce},s=${this.#proof.salt},i=${this.#proof.iterations}`;
    this.#messages = `${bare},${answer}`;
    return answer;
  }

  /** The client's second message: its proof. */
  second(message: string): string | null {
    const at = message.lastIndexOf(",p=");
    const given = attributes(message);
    const isBound = given.get("c") === Buffer.from(this.#header).toString("base64");
    if (at < 0 || this.#nonce === "" || !isBound || given.get("r") !== this.#nonce) return null;
    const whole = `${this.#messages},${message.slice(0, at)}`;
    const proof = Buffer.from(message.slice(at + 3), "base64");
    const { storedKey, serverKey } = this.#proof;
    const signature = hmac(this.#kind, storedKey, whole);
    if (proof.length !== this.#kind.bytes || storedKey.length !== this.#kind.bytes) return null;
    const key = hashed(
      this.#kind,
      proof.map((byte, index) => byte ^ (signature[index] as number)),
    );
    if (!timingSafeEqual(key, storedKey)) return null;
    this.proven = true;
    return `v=${hmac(this.#kind, serverKey, whole).toString("base64")}`;
  }
}

interface Opened {
  readonly name?: string | undefined;
  readonly nonce?: string | undefined;
  readonly header: string;
  readonly bare: string;
}

/** The parts of a client's first message; no name where it is none. */
function opened(message: string): Opened {
  // No channel is bound: there is no TLS here.
  const [header = "", bare = ""] = /^((?:n|y),(?:a=[^,]*)?,)(.*)$/s.exec(message)?.slice(1) ?? [];
  const given = attributes(bare);
  // `m` is an extension that has to be understood.
  if (given.has("m")) return { header, bare };
  return { header, bare, nonce: given.get("r"), name: given.get("n")?.replaceAll("=2C", ",").replaceAll("=3D", "=") };
}

/** The name that a client's first message gives. */
export const nameIn = (message: string): string | undefined => opened(message).name;
