/** Users who sign in: the server's own and those of `createUser`. */
import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Binary, type Document } from "bson";
import { beforeAll, describe, expect, it } from "vitest";
import { Client, service } from "../../../test/wire-client.ts";
import { encode } from "../../codec/encode.ts";
import { loadEngine } from "../../engine/load.ts";
import type { Service } from "./connection.ts";
import { Operations } from "./operations.ts";
import { ownUser } from "./users.ts";

const wasm = fileURLToPath(new URL("../../../wasm/quire_bg.wasm", import.meta.url));
beforeAll(async () => {
  expect(existsSync(wasm), "cargo xtask build").toBe(true);
  await loadEngine(() => readFileSync(wasm));
});

const binary = (text: string): Binary => new Binary(Buffer.from(text));
const text = (payload: unknown): string => Buffer.from((payload as Binary).buffer).toString();

/** The client's side of SCRAM; `secret` is what the mechanism derives its keys from. */
function proofOf(
  secret: string,
  first: string,
  answer: string,
  hash: "sha1" | "sha256" = "sha256",
): { message: string; signature: string } {
  const [, nonce = "", salt = "", rounds = "0"] = /^r=(.*),s=(.*),i=(\d+)$/.exec(answer) ?? [];
  const salted = pbkdf2Sync(secret, Buffer.from(salt, "base64"), Number(rounds), hash === "sha1" ? 20 : 32, hash);
  const hmac = (key: Uint8Array, text: string): Buffer => createHmac(hash, key).update(text).digest();
  const clientKey = hmac(salted, "Client Key");
  const bare = `c=biws,r=${nonce}`;
  const whole = `${first},${answer},${bare}`;
  const signature = hmac(createHash(hash).update(clientKey).digest(), whole);
  const proof = clientKey.map((byte, at) => byte ^ (signature[at] as number));
  return {
    message: `${bare},p=${Buffer.from(proof).toString("base64")}`,
    signature: `v=${hmac(hmac(salted, "Server Key"), whole).toString("base64")}`,
  };
}

describe("a server with a user", () => {
  const first = "n=an=2Cna,r=abc";
  let of: Service;
  beforeAll(async () => {
    of = await service(ownUser("an,na", "secret"));
  });
  const start = { mechanism: "SCRAM-SHA-256", payload: binary(`n,,${first}`), options: { skipEmptyExchange: true } };
  const goOn = (client: Client, answer: unknown, password: string): Promise<Document> =>
    client.ask({ saslContinue: 1, conversationId: 1, payload: binary(proofOf(password, first, text(answer)).message) });

  it("lets who knows the password in, and proves that it knows it too", async () => {
    const client = new Client(of);
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ code: 13, codeName: "Unauthorized" });
    expect(await client.ask({ ping: 1 })).toMatchObject({ ok: 1 });
    const { payload, done } = await client.ask({ saslStart: 1, ...start });
    expect(done).toBe(false);
    const proven = await goOn(client, payload, "secret");
    expect(proven).toMatchObject({ done: true, ok: 1 });
    expect(text(proven["payload"])).toBe(proofOf("secret", first, text(payload)).signature);
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ ok: 1 });
    const { authInfo } = await client.ask({ connectionStatus: 1 });
    expect(authInfo).toMatchObject({ authenticatedUsers: [{ user: "an,na", db: "admin" }] });
    expect(await new Client(of).ask({ find: "c", $db: "a" })).toMatchObject({ code: 13 });
    await client.ask({ logout: 1 });
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ code: 13 });
  });

  it("lets nobody else in", async () => {
    const client = new Client(of);
    const { payload } = await client.ask({ saslStart: 1, ...start });
    expect(await goOn(client, payload, "wrong")).toMatchObject({ code: 18 });
    expect(await goOn(client, payload, "secret")).toMatchObject({ code: 17 });
    expect(await client.ask({ saslStart: 1, ...start, $db: "a" })).toMatchObject({ code: 18 });
    expect(await client.ask({ saslStart: 1, ...start, payload: binary("n,,n=eve,r=1") })).toMatchObject({ code: 18 });
    expect(await client.ask({ saslStart: 1, ...start, payload: binary("") })).toMatchObject({ code: 18 });
    expect(await client.ask({ saslStart: 1, ...start, mechanism: "PLAIN" })).toMatchObject({ code: 334 });
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ code: 13 });
    expect(await new Client(await service()).ask({ saslStart: 1, ...start })).toMatchObject({ code: 18 });
  });

  it("begins with the first hello", async () => {
    const client = new Client(of);
    const greeting = await client.ask({
      hello: 1,
      saslSupportedMechs: "admin.an,na",
      speculativeAuthenticate: { saslStart: 1, ...start, db: "admin" },
    });
    expect(greeting["saslSupportedMechs"]).toEqual(["SCRAM-SHA-256"]);
    const begun = greeting["speculativeAuthenticate"] as Document;
    expect(begun).toMatchObject({ conversationId: 1, done: false });
    expect(await goOn(client, begun["payload"], "secret")).toMatchObject({ done: true });
    const unknown = await client.ask({
      hello: 1,
      saslSupportedMechs: "admin.eve",
      speculativeAuthenticate: { saslStart: 1, ...start, payload: binary("n,,n=eve,r=1"), db: "admin" },
    });
    expect([unknown["ok"], unknown["saslSupportedMechs"], unknown["speculativeAuthenticate"]]).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });
});

/** Signs a client in; gives the last reply. */
async function signIn(
  client: Client,
  [db, user, password]: readonly [string, string, string],
  mechanism: "SCRAM-SHA-1" | "SCRAM-SHA-256" = "SCRAM-SHA-256",
): Promise<Document> {
  const hash = mechanism === "SCRAM-SHA-1" ? "sha1" : "sha256";
  const md5 = createHash("md5").update(`${user}:mongo:${password}`).digest("hex");
  const first = `n=${user},r=abc`;
  const options = { skipEmptyExchange: true };
  const begun = await client.ask({ saslStart: 1, mechanism, payload: binary(`n,,${first}`), options, $db: db });
  if (begun["ok"] !== 1) return begun;
  const { message } = proofOf(hash === "sha1" ? md5 : password, first, text(begun["payload"]), hash);
  return client.ask({ saslContinue: 1, conversationId: 1, payload: binary(message), $db: db });
}

describe("a user of createUser", () => {
  const anna = { createUser: "anna", pwd: "s3cret", roles: ["readWrite"], $db: "shop" };

  it("signs in by both mechanisms where nobody has to, and with no other password", async () => {
    const of = await service();
    const client = new Client(of);
    expect(await client.ask(anna)).toMatchObject({ ok: 1 });
    for (const mechanism of ["SCRAM-SHA-1", "SCRAM-SHA-256"] as const) {
      expect(await signIn(client, ["shop", "anna", "s3cret"], mechanism)).toMatchObject({ done: true, ok: 1 });
      const { authInfo } = await client.ask({ connectionStatus: 1 });
      expect(authInfo).toEqual({
        authenticatedUsers: [{ user: "anna", db: "shop" }],
        authenticatedUserRoles: [{ role: "readWrite", db: "shop" }],
      });
      for (const wrong of [
        ["shop", "anna", "secret"],
        ["admin", "anna", "s3cret"],
        ["shop", "eve", "s3cret"],
      ] as const)
        expect(await signIn(new Client(of), wrong, mechanism)).toMatchObject({ ok: 0, code: 18 });
    }
    const greeted = await client.ask({ hello: 1, saslSupportedMechs: "shop.anna" });
    expect(greeted["saslSupportedMechs"]).toEqual(["SCRAM-SHA-1", "SCRAM-SHA-256"]);
    expect((await client.ask({ hello: 1, saslSupportedMechs: "admin.anna" }))["saslSupportedMechs"]).toBe(undefined);
  });

  it("has no password that can be read anywhere", async () => {
    const client = new Client(await service());
    const verbosity = { setParameter: 1, logComponentVerbosity: { command: { verbosity: 1 } } };
    expect(await client.ask(verbosity)).toMatchObject({ ok: 1 });
    await client.ask({ profile: 2, $db: "shop" });
    await client.ask(anna);
    await client.ask({ updateUser: "anna", pwd: "s3cret too", $db: "shop" });
    const shown = JSON.stringify([
      await client.ask({ find: "system.users" }),
      await client.ask({ find: "system.profile", $db: "shop" }),
      await client.ask({ getLog: "global" }),
      await client.ask({ usersInfo: "anna", showCredentials: true, $db: "shop" }),
      await client.ask({ find: "oplog.rs", $db: "local" }),
    ]);
    expect(shown).toContain("storedKey");
    expect(shown.replaceAll("\\", "")).toContain('"pwd":"xxx"');
    expect(shown).not.toContain("s3cret");
    const from = { id: 1, local: "", remote: "", metadata: null };
    const running = new Operations().begin(from, encode({ ...anna, pwd: "s3cret" }));
    expect(running.document(false)).toMatchObject({ command: { createUser: "anna", pwd: "xxx" } });
    const { users } = await client.ask({ usersInfo: "anna", showCredentials: true, $db: "shop" });
    const [user] = users as readonly Document[];
    expect(user).toMatchObject({
      mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-256"],
      credentials: { "SCRAM-SHA-1": { iterationCount: 10_000 }, "SCRAM-SHA-256": { iterationCount: 15_000 } },
    });
  });

  it("has the password and the mechanisms that were given last", async () => {
    const of = await service();
    const client = new Client(of);
    await client.ask({ ...anna, mechanisms: ["SCRAM-SHA-256"] });
    expect(await signIn(client, ["shop", "anna", "s3cret"], "SCRAM-SHA-1")).toMatchObject({ code: 18 });
    await client.ask({ updateUser: "anna", pwd: "new", $db: "shop" });
    expect(await signIn(client, ["shop", "anna", "s3cret"])).toMatchObject({ code: 18 });
    expect(await signIn(client, ["shop", "anna", "new"])).toMatchObject({ ok: 1 });
    expect(await signIn(client, ["shop", "anna", "new"], "SCRAM-SHA-1")).toMatchObject({ ok: 1 });
    await client.ask({ updateUser: "anna", mechanisms: ["SCRAM-SHA-1"], $db: "shop" });
    expect(await signIn(client, ["shop", "anna", "new"])).toMatchObject({ code: 18 });
    expect(await client.ask({ updateUser: "anna", mechanisms: ["SCRAM-SHA-256"], $db: "shop" })).toMatchObject({
      code: 2,
      errmsg: "mechanisms field must be a subset of previously set mechanisms",
    });
    // A hash is a password of the older mechanism alone.
    const pwd = createHash("md5").update("ben:mongo:old").digest("hex");
    const ben = { createUser: "ben", pwd, digestPassword: false, roles: [], $db: "shop" };
    expect(await client.ask(ben)).toMatchObject({ errmsg: "Use of SCRAM-SHA-256 requires undigested passwords" });
    expect(await client.ask({ ...ben, mechanisms: ["SCRAM-SHA-1"] })).toMatchObject({ ok: 1 });
    expect(await signIn(client, ["shop", "ben", "old"], "SCRAM-SHA-1")).toMatchObject({ ok: 1 });
    await client.ask({ dropUser: "anna", $db: "shop" });
    expect(await signIn(client, ["shop", "anna", "new"], "SCRAM-SHA-1")).toMatchObject({ code: 18 });
  });

  it("signs in as root alone where everybody has to sign in, until it is dropped", async () => {
    const of = await service(ownUser("boss", "b"));
    const boss = new Client(of);
    await signIn(boss, ["admin", "boss", "b"]);
    await boss.ask(anna);
    const client = new Client(of, 2);
    const refused = await signIn(client, ["shop", "anna", "s3cret"]);
    expect(refused).toMatchObject({ ok: 0, code: 18 });
    expect(refused["errmsg"]).toContain("enforces no other role");
    // Who does not know the password is told nothing of the user.
    expect(await signIn(client, ["shop", "anna", "wrong"])).toMatchObject({ errmsg: "Authentication failed." });
    expect(await client.ask({ find: "c", $db: "shop" })).toMatchObject({ code: 13 });
    const root = [{ role: "root", db: "admin" }];
    await boss.ask({ grantRolesToUser: "anna", roles: root, $db: "shop" });
    expect(await signIn(client, ["shop", "anna", "s3cret"])).toMatchObject({ ok: 1 });
    expect(await client.ask({ find: "c", $db: "shop" })).toMatchObject({ ok: 1 });
    await boss.ask({ updateUser: "anna", pwd: "other", $db: "shop" });
    expect(await client.ask({ find: "c", $db: "shop" })).toMatchObject({ ok: 1 });
    await boss.ask({ revokeRolesFromUser: "anna", roles: root, $db: "shop" });
    expect(await client.ask({ find: "c", $db: "shop" })).toMatchObject({ code: 13 });
    await boss.ask({ grantRolesToUser: "anna", roles: root, $db: "shop" });
    expect(await signIn(client, ["shop", "anna", "other"])).toMatchObject({ ok: 1 });
    await boss.ask({ delete: "system.users", deletes: [{ q: { user: "anna" }, limit: 1 }] });
    expect(await client.ask({ find: "c", $db: "shop" })).toMatchObject({ code: 13 });
    // Another user of the name is another user.
    await boss.ask({ ...anna, roles: root });
    expect(await signIn(client, ["shop", "anna", "s3cret"])).toMatchObject({ ok: 1 });
    await boss.ask({ dropUser: "anna", $db: "shop" });
    await boss.ask({ ...anna, roles: root });
    expect(await client.ask({ find: "c", $db: "shop" })).toMatchObject({ code: 13 });
  });
});
