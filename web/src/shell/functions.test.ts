/** The functions that those of commands may call. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { functionText } from "./function-text.ts";
import { makeCallFunction } from "./functions.ts";
import { hexMd5 } from "./md5.ts";

const slept: number[] = [];
const call = makeCallFunction(
  {
    command: () => "",
    print: () => undefined,
    sleep: (millis) => void slept.push(millis),
  },
  functionText,
);
const value = (code: string, ...given: unknown[]): unknown =>
  JSON.parse(call(`function (...given) { ${code} }`, undefined, JSON.stringify(given)));

test("hex_md5 is that of RFC 1321, over UTF-8", () => {
  expect(hexMd5("")).toBe("d41d8cd98f00b204e9800998ecf8427e");
  expect(hexMd5("message digest")).toBe("f96b697d7cb7938d525a2f31aaf161d0");
  expect(hexMd5("1234567890".repeat(8))).toBe("57edf4a22be3c955ac49da2e2107b67a");
  expect(hexMd5("x".repeat(55))).toBe("04364420e25c512fd958a70738aa8f72");
  expect(hexMd5("x".repeat(64))).toBe("c1bb4f81d892b2d57947682aeb252456");
  expect(hexMd5("Mädchen 你好 🌱")).toBe("ab5a7a6a4cd7c3ada958da8cd6e8ff54");
  expect(value("return hex_md5(given[0])", "abc")).toBe("900150983cd24fb0d6963f7d28e17f72");
  expect(() => value("return hex_md5(1)")).toThrow("hex_md5 takes a single string argument -- hex_md5(string)");
});

test("functions sleep, and know the server's version", () => {
  value("return sleep(7)");
  expect(slept).toEqual([7]);
  expect(() => value("sleep()")).toThrow("sleep takes a single numeric argument -- sleep(milliseconds)");
  const names = readFileSync(new URL("../../../crate/src/command/identity.rs", import.meta.url), "utf8");
  expect(names).toContain(`SERVER_VERSION: &str = "${value("return version()") as string}"`);
});

test("a DBPointer goes back as one", () => {
  const id = "507f1f77bcf86cd799439011";
  const pointer = { $dbPointer: { $ref: "shop.herbs", $id: { $oid: id } } };
  expect(value(`return DBPointer("shop.herbs", ObjectId("${id}"))`)).toEqual(pointer);
  expect(value(`return new DBPointer("shop.herbs", ObjectId("${id}")).ns`)).toBe("shop.herbs");
  expect(() => value("DBPointer('a')")).toThrow("DBPointer needs 2 arguments");
  expect(() => value("DBPointer(1, 2)")).toThrow("DBPointer 1st parameter must be a string");
  expect(() => value("DBPointer('a', 2)")).toThrow("DBPointer 2nd parameter must be an ObjectId");
});
