/**
 * SHA-256 and Keccak-256, written for few bytes: a browser loads them with the sdk, where the general ones of a library
 * would weigh more than all that the sdk does with them. The tests hold them to that library.
 */

export type Bytes = Uint8Array<ArrayBuffer>;

const SHA_BLOCK = 64;
const [SHA_K, SHA_START] = shaConstants();

/** SHA-256 (FIPS 180-4). */
export function sha256(message: Uint8Array): Bytes {
  const bytes = padded(message, 8, SHA_BLOCK);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, message.length * 8);
  const state = Int32Array.from(SHA_START);
  for (let at = 0; at < bytes.length; at += SHA_BLOCK) shaBlock(state, view, at);
  state.forEach((word, i) => {
    view.setInt32(4 * i, word);
  });
  return bytes.slice(0, 32);
}

function shaBlock(state: Int32Array, view: DataView, at: number): void {
  const words = new Int32Array(64);
  const turning = Int32Array.from(state);
  for (let i = 0; i < 64; i++) {
    const [early, late] = [words[i - 15]!, words[i - 2]!];
    words[i] =
      i < 16
        ? view.getInt32(at + 4 * i)
        : words[i - 16]! + words[i - 7]! + mix(early, 7, 18, early >>> 3) + mix(late, 17, 19, late >>> 10);
    const [a, b, c, , e, f, g, h] = turning;
    const first = h! + mix(e!, 6, 11, right(e!, 25)) + ((e! & f!) ^ (~e! & g!)) + SHA_K[i]! + words[i]!;
    turning.copyWithin(1, 0);
    turning[4]! += first;
    turning[0] = first + mix(a!, 2, 13, right(a!, 22)) + ((a! & b!) ^ (a! & c!) ^ (b! & c!));
  }
  turning.forEach((word, i) => {
    state[i]! += word;
  });
}

function mix(word: number, one: number, two: number, third: number): number {
  return right(word, one) ^ right(word, two) ^ third;
}

function right(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractions of the cube and square roots of the first primes. */
function shaConstants(): [number[], number[]] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime > 0)) primes.push(n);
  const fractions = (power: number) => primes.map((prime) => (prime ** power * 2 ** 32) | 0);
  return [fractions(1 / 3), fractions(1 / 2).slice(0, 8)];
}

/** The message in whole blocks, with zeros for the padding and so many bytes more. */
function padded(message: Uint8Array, more: number, block: number): Bytes {
  const bytes = new Uint8Array((Math.floor((message.length + more) / block) + 1) * block);
  bytes.set(message);
  return bytes;
}

const RATE = 136;
const [ROUNDS, ROTATIONS] = keccakConstants();

/** Keccak-256 as Ethereum has it, with the padding from before SHA-3. */
export function keccak256(message: Uint8Array): Bytes {
  const bytes = padded(message, 0, RATE);
  bytes[message.length]! ^= 1;
  bytes[bytes.length - 1]! ^= 0x80;
  const view = new DataView(bytes.buffer);
  const lanes = new BigUint64Array(25);
  for (let at = 0; at < bytes.length; at += RATE) {
    for (let i = 0; i < 17; i++) lanes[i]! ^= view.getBigUint64(at + 8 * i, true);
    for (const constant of ROUNDS) keccakRound(lanes, constant);
  }
  for (let i = 0; i < 4; i++) view.setBigUint64(8 * i, lanes[i]!, true);
  return bytes.slice(0, 32);
}

function keccakRound(lanes: BigUint64Array, constant: bigint): void {
  const columns = lanes
    .slice(0, 5)
    .map((_, x) => lanes.reduce((sum, lane, i) => (i % 5 === x ? sum ^ lane : sum), 0n));
  const moved = new BigUint64Array(25);
  lanes.forEach((lane, i) => {
    const mixed = lane ^ columns[(i + 4) % 5]! ^ left(columns[(i + 1) % 5]!, 1);
    const [x, y] = [i % 5, Math.floor(i / 5)];
    moved[y + 5 * ((2 * x + 3 * y) % 5)] = left(mixed, ROTATIONS[i]!);
  });
  moved.forEach((lane, i) => {
    const row = i - (i % 5);
    lanes[i] = lane ^ (~moved[row + ((i + 1) % 5)]! & moved[row + ((i + 2) % 5)]!);
  });
  lanes[0]! ^= constant;
}

function left(lane: bigint, by: number): bigint {
  return BigInt.asUintN(64, (lane << BigInt(by)) | (lane >> BigInt(64 - by)));
}

/** Round constants from their shift register, and how far each lane is turned. */
function keccakConstants(): [bigint[], number[]] {
  const rounds: bigint[] = [];
  const rotations = [0];
  let register = 1;
  let [x, y] = [1, 0];
  for (let round = 0; round < 24; round++) {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1);
      register = (register << 1) ^ (register >> 7 && 0x171);
    }
    rounds.push(constant);
    rotations[x + 5 * y] = (((round + 1) * (round + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return [rounds, rotations];
}
