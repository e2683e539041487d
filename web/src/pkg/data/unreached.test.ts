/** What beginners give as an address, and what is said to it. */
import { expect, test } from "vitest";
import { addressFault, unreached } from "./unreached.ts";

test.each([
  ["localhost:27017", /^localhost:27017 is no address of MongoDB's: those begin with mongodb:\/\//],
  ["http://h/", /begin with mongodb:\/\//],
  ["mongodb:/h", /begin with mongodb:\/\//],
  ["shop.quire", /the address comes first \(mongodb:\/\/…\), and shop.quire behind it/],
  ["mongodb://", /names no host/],
  ["mongodb+srv://ada:<db_password>@c.abc.mongodb.net/", /still has <db_password> in it/],
  ["mongodb://ada:p@ss@h/", /%40 %3A %2F/],
  ["mongodb://ada:p/ss@h/", /%40 %3A %2F/],
])("%s is told what it lacks", (address, words) => {
  expect(addressFault(address)).toMatch(words);
});

test.each([
  "mongodb://127.0.0.1:27017/",
  "mongodb://h",
  "mongodb://ada:p%40ss@a:1,b:2/shop?replicaSet=rs",
  "mongodb+srv://ada:secret@c.abc.mongodb.net/?retryWrites=true&appName=a@b",
])("%s may be right", (address) => {
  expect(addressFault(address)).toBeNull();
});

test.each([
  [{ message: "connect ECONNREFUSED 127.0.0.1:1" }, /nothing listens there/],
  [{ message: "getaddrinfo ENOTFOUND nosuch" }, /no such host/],
  [{ message: "querySrv ENOTFOUND _mongodb._tcp.c.net" }, /mongodb\+srv:\/\/ needs a cluster's name/],
  [{ code: 18, message: "Authentication failed." }, /refuses this user and password.*authSource=NAME/],
  [{ code: 8000, message: "bad auth : authentication failed" }, /refuses this user and password/],
  [{ message: "Server selection timed out after 10000 ms\nmore" }, /timed out after 10000 ms \(is it the right port/],
])("an error of the driver's is one sentence: %o", (given, words) => {
  const said = unreached(Object.assign(new Error(given.message), given), "mongodb://ada:secret@h/", "mongodb://***@h/");
  expect(said).toMatch(words);
  expect(said).not.toMatch(/secret|\n/);
});

test("a cluster of Atlas's that does not answer has a list of addresses", () => {
  const said = unreached(new Error("Server selection timed out"), "mongodb+srv://c.abc.mongodb.net/", "x");
  expect(said).toMatch(/IP access list/);
});
