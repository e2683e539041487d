/**
 * SCRAM-SHA-256, the server's side of it (RFC 5802, RFC 7677): a client proves that it knows the password, and the
 * server that it knows it too; neither says it.
 *
 * Invariant: of the password only what checks a proof is kept, and every failure is told in the same words.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";

/** As in a server's `scramSHA256IterationCount`. */
const ITERATIONS = 15_000;
const HASH_BYTES = 32;

const hmac = (key: Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const hash = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** A password as SASLprep has it, as far as Unicode's compatible forms go: drivers send it so. */
const prepared = (password: string): string =>
  password
    .replace(/\u034f|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u00ad\u1806\u200b\u200c\u2060\ufeff]|\u200d/gu, "")
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu, " ")
    .normalize("NFKC");

/** The one user of a server, who may do everything. */
export class User {
  readonly name: string;
  /** The database that the user is of. */
  readonly database = "admin";
  readonly salt = randomBytes(HASH_BYTES - 4).toString("base64");
  readonly storedKey: Uint8Array;
  readonly serverKey: Uint8Array;

  constructor(name: string, password: string) {
    this.name = name;
    const salted = pbkdf2Sync(prepared(password), Buffer.from(this.salt, "base64"), ITERATIONS, HASH_BYTES, "sha256");
    this.storedKey = hash(hmac(salted, "Client Key"));
    this.serverKey = hmac(salted, "Server Key");
  }

  converse(): Conversation {
    return new Conversation(this);
  }
}

/** The attributes of a SCRAM message: `n=user,r=nonce`. */
function attributes(message: string): ReadonlyMap<string, string> {
  return new Map(message.split(",").map((part) => [part.slice(0, 1), part.slice(2)]));
}

/** One conversation. Each step gives what to answer, or null where the client is refused. */
export class Conversation {
  readonly #user: User;
  #messages = "";
  #nonce = "";
  #header = "";
  /** The client is known, and may have to say once more that it has nothing to add. */
  proven = false;
  /** The client wants no empty answer behind its proof. */
  skipsEmptyExchange = false;

  constructor(user: User) {
    this.#user = user;
  }

  /** The client's first message: its name and the beginning of the nonce. */
  first(message: string): string | null {
    // No channel is bound: there is no TLS here.
    const [header, bare] = /^((?:n|y),(?:a=[^,]*)?,)(.*)$/s.exec(message)?.slice(1) ?? [];
    if (header === undefined || bare === undefined) return null;
    const given = attributes(bare);
    const name = given.get("n")?.replaceAll("=2C", ",").replaceAll("=3D", "=");
    const nonce = given.get("r");
    // `m` is an extension that has to be understood.
    if (name !== this.#user.name || nonce === undefined || nonce === "" || given.has("m")) return null;
    this.#header = header;
    this.#nonce = nonce + randomBytes(24).toString("base64");
    const answer = `r=${this.#nonce},s=${this.#user.salt},i=${ITERATIONS}`;
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
    const signature = hmac(this.#user.storedKey, whole);
    if (proof.length !== HASH_BYTES) return null;
    const key = hash(proof.map((byte, index) => byte ^ (signature[index] as number)));
    if (!timingSafeEqual(key, this.#user.storedKey)) return null;
    this.proven = true;
    return `v=${hmac(this.#user.serverKey, whole).toString("base64")}`;
  }
}
