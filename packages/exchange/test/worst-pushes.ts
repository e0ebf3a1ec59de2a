/** The pushes of quotes that cost the exchange most (OWN-62). */

import { encodeQuotes, type MicrosLevel, type MicrosQuote, QUOTES_CONTENT_TYPE } from '@venue/protocol';

const ITEMS_MAX = 16_384;
const LEVELS = 64;

/** All series, by sid. */
export interface Listed {
  readonly seriesId: string;
}

/** For each list in a push, its field and its content. */
export function* worstPushLists([first]: readonly Listed[]): Generator<[field: string, item: string]> {
  const { seriesId } = first!;
  const levels = `[${Array.from({ length: LEVELS }, (_, k) => `[${LEVELS - k}.123456,0.123456]`)}]`;
  const rows = ['null,null', '[[1.234567,0.123456]],[]', `${levels},${levels}`, '[[1e300,1e-300]],null'];
  for (const row of rows) {
    yield ['rows', `[0,${row},0.123456789,0.5]`];
    const [bids, asks] = JSON.parse(`[${row}]`);
    yield ['quotes', JSON.stringify({ seriesId, bids, asks, iv: 0.123456789, delta: 0.5 })];
  }
  yield ['rows', '[99999,null,null]'];
  yield ['quotes', '{"seriesId":"NONE"}'];
  // One row with all possible levels, and rows whose fault is at their very end.
  yield ['rows', `[0,[${Array(ITEMS_MAX - 8).fill('[1,1]')}],[]]`];
  yield ['rows', `[0,${levels},${levels},0.5,"x"]`];
}

/** Pushes in bytes, up to the given size. */
export function* worstPushBytes(
  series: readonly Listed[],
  size: number,
): Generator<[what: string, bytes: Uint8Array]> {
  const sids = series.length;
  const rows = (count: number, row: Omit<MicrosQuote, 'sid'>, first = 0) =>
    encodeQuotes(Array.from({ length: count }, (_, i) => ({ ...row, sid: first + (i % sids) })));
  const side = (count: number, from: number, step: number): MicrosLevel[] =>
    Array.from({ length: count }, (_, k) => [from + step * k, 123_456]);
  const both = (count: number) => ({ bids: side(count, 9_000_000, -1), asks: side(count, 10_000_000, 1) });
  yield ['rows that ask for nothing', rows(ITEMS_MAX, { bids: null, asks: null })];
  yield ['rows of unknown series', encodeQuotes(unknownRows())];
  yield ['rows with one level a side', rows(Math.floor(ITEMS_MAX / 3), { ...both(1), iv: 0.5, delta: 0.1 })];
  yield ['rows with all levels', rows(Math.floor(ITEMS_MAX / (2 * LEVELS + 1)), both(LEVELS))];
  yield ['rows with a level too many', rows(Math.floor(ITEMS_MAX / (2 * LEVELS + 3)), both(LEVELS + 1))];
  yield ['one row', rows(1, { bids: side(ITEMS_MAX - 1, 9_000_000, -1), asks: null })];
  const small = (from: number) => Array.from({ length: 63 }, (_, k): MicrosLevel => [from - k, 1]);
  const dense = rows(Math.floor((size - 10) / 259), { bids: small(64), asks: small(127).reverse() });
  yield ['all that the size holds', dense];
  yield [
    'one row of all that the size holds',
    rows(1, { bids: side((size - 32) >> 3, 2 ** 27, -1), asks: null }),
  ];
  yield ['rows that there are none of', encodeQuotes([]).with(8, 0xff)];
  yield ['numbers without an end', filled(size, 0xff)];
  yield ['numbers of one byte', filled(size, 0x01)];
}

/** Each names a different unknown series, which the answer must list. */
function unknownRows(): MicrosQuote[] {
  return Array.from({ length: ITEMS_MAX }, (_, i) => ({ sid: 100_000 + i, bids: null, asks: null }));
}

/** A push that claims to have many rows, and then repeats a single byte. */
function filled(size: number, byte: number): Uint8Array {
  const bytes = new Uint8Array(size).fill(byte);
  bytes.set(encodeQuotes([]).subarray(0, 6));
  new DataView(bytes.buffer).setUint32(6, ITEMS_MAX, true);
  return bytes;
}

/** Pushes in which every row changes every level of its series, one per attempt, each with its content type. */
export function* soundPushes(
  series: readonly Listed[],
): Generator<[what: string, type: string, bodyOf: (attempt: number) => Uint8Array | string]> {
  // As many as the limit on JSON containers allows: a row has three, plus its levels.
  for (const levels of [1, LEVELS]) {
    const count = Math.floor((ITEMS_MAX - 2) / (3 + 2 * levels));
    const rows = (attempt: number) => soundRows(series.length, { count, levels, attempt });
    const verbose = (attempt: number) =>
      rows(attempt).map(({ sid, ...row }) => ({ seriesId: series[sid]!.seriesId, ...decimalSides(row) }));
    const compact = (attempt: number) =>
      rows(attempt).map(({ sid, ...row }) => [sid, ...Object.values(decimalSides(row))]);
    const json = 'application/json';
    yield [`compact, ${levels}`, json, (attempt) => JSON.stringify({ rows: compact(attempt) })];
    yield [`verbose, ${levels}`, json, (attempt) => JSON.stringify({ quotes: verbose(attempt) })];
    yield [`bytes, ${levels}`, QUOTES_CONTENT_TYPE, (attempt) => encodeQuotes(rows(attempt))];
  }
}

function soundRows(
  sids: number,
  { count, levels, attempt }: { count: number; levels: number; attempt: number },
): MicrosQuote[] {
  return Array.from({ length: count }, (_, i) => {
    // A row after another of its series changes it once more.
    const mid = 20_000_000 + 1_000 * (count * attempt + i);
    const side = (sign: number): MicrosLevel[] =>
      Array.from({ length: levels }, (_, k) => [mid + sign * (k + 1) * 100, 1_000]);
    return { sid: i % sids, bids: side(-1), asks: side(1) };
  });
}

const decimalSides = ({ bids, asks }: Pick<MicrosQuote, 'bids' | 'asks'>) => ({
  bids: decimals(bids),
  asks: decimals(asks),
});

const decimals = (levels: MicrosQuote['bids']) => levels!.map((level) => level.map((micros) => micros / 1e6));
