import { assertEquals } from "@std/assert";
import { sha256, signText } from "../../src/store/sha256.ts";

Deno.test("sha256() equals Web Crypto's digest for each length from 0 to 130 bytes", async () => {
  const bytes = Uint8Array.from({ length: 130 }, (_, index) => (index * 7) % 256);
  for (let length = 0; length <= bytes.length; length++) {
    const text = bytes.subarray(0, length);
    const expected = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
    assertEquals(sha256(text), expected, `${length} bytes`);
  }
});

Deno.test("signText() equals Web Crypto's HMAC of the kind, the project and the text", async () => {
  const key = Uint8Array.from({ length: 32 }, (_, index) => index);
  const message = new TextEncoder().encode("save\0/p\0text");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const expected = new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
  assertEquals(signText(key, "save", "/p", "text"), expected.toHex());
});
