/** Computes SHA-256. Web Crypto is asynchronous, and `node:crypto` would slow down hooks. */

const BLOCK_BYTES = 64;

/** Smallest padding: one byte with the end bit and eight bytes with the length. */
const TAIL_BYTES = 9;

const [START, ROUNDS] = constants();

export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = START.slice();
  const words = new Int32Array(BLOCK_BYTES);
  const blocks = Math.ceil((bytes.length + TAIL_BYTES) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  for (let start = 0; start < padded.length; start += BLOCK_BYTES) {
    addBlock(state, words, padded, start);
  }
  const hash = new Uint8Array(4 * state.length);
  const view = new DataView(hash.buffer);
  state.forEach((word, index) => view.setInt32(4 * index, word));
  return hash;
}

export function sha256Hex(text: string): string {
  return sha256(new TextEncoder().encode(text)).toHex();
}

/** Returns an HMAC-SHA-256 in hexadecimal digits. */
export function signText(key: Uint8Array, kind: string, project: string, text: string): string {
  const message = new TextEncoder().encode(`${kind}\0${project}\0${text}`);
  return sha256(joined(masked(key, 0x5c), sha256(joined(masked(key, 0x36), message)))).toHex();
}

function masked(key: Uint8Array, mask: number): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES).fill(mask);
  key.forEach((byte, index) => block[index] = byte ^ mask);
  return block;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Uses simple operations, because a hook mostly runs this code before the engine optimizes it. */
function addBlock(state: Int32Array, words: Int32Array, bytes: Uint8Array, start: number): void {
  fillWords(words, bytes, start);
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let i = 0; i < BLOCK_BYTES; i++) {
    const sum1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
    const temp1 = h + sum1 + (g ^ e & (f ^ g)) + (ROUNDS[i] ?? 0) + (words[i] ?? 0) | 0;
    const sum0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
    const temp2 = sum0 + (a & b ^ c & (a ^ b)) | 0;
    h = g;
    g = f;
    f = e;
    e = d + temp1 | 0;
    d = c;
    c = b;
    b = a;
    a = temp1 + temp2 | 0;
  }
  const rounds = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < rounds.length; i++) state[i] = (state[i] ?? 0) + (rounds[i] ?? 0);
}

function fillWords(words: Int32Array, bytes: Uint8Array, start: number): void {
  for (let i = 0; i < 16; i++) {
    const p = start + 4 * i;
    words[i] = (bytes[p] ?? 0) << 24 | (bytes[p + 1] ?? 0) << 16 | (bytes[p + 2] ?? 0) << 8 |
      (bytes[p + 3] ?? 0);
  }
  for (let i = 16; i < BLOCK_BYTES; i++) {
    const x = words[i - 15] ?? 0;
    const y = words[i - 2] ?? 0;
    const sigma0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
    const sigma1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
    words[i] = (words[i - 16] ?? 0) + sigma0 + (words[i - 7] ?? 0) + sigma1 | 0;
  }
}

/** Returns the fractional bits of the square roots of 8 primes, and of the cube roots of 64 primes. */
function constants(): [start: Int32Array, rounds: Int32Array] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  const bitsOf = (root: number): number => Math.floor((root % 1) * 2 ** 32) | 0;
  return [
    Int32Array.from(primes.slice(0, 8), (prime) => bitsOf(Math.sqrt(prime))),
    Int32Array.from(primes, (prime) => bitsOf(Math.cbrt(prime))),
  ];
}
