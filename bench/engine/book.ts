/**
 * Question: how many messages a second does the order book process, including matching and reporting, on an ordinary
 * flow and in a crash, how does it compare with `nodejs-order-book` on the same messages, and what does a message cost
 * deep in a book of 50,000 price levels?
 */

import { availableParallelism, cpus } from 'node:os';
import { type LimitOrderOptions, OrderBook as PeerBook, Side } from 'nodejs-order-book';
import {
  Book,
  type BookSide,
  BUY,
  type OrderHandle,
  OrderStore,
  SELL,
} from '../../packages/engine/src/book/book.ts';
import { generateFlow, PlainBook } from '../../packages/engine/test/generated-flow.ts';
import {
  CANCEL,
  type Flow,
  FlowDriver,
  NEW,
  Reports,
  readFlow,
  WORKLOADS,
} from '../../packages/engine/test/workload.ts';

const WARM_UP_RUNS = 10;
const RUNS = 21;
const PEER_WARM_UP_RUNS = 1;
const PEER_RUNS = 3;
/** For the generated flow, which is seven times longer. */
const LONG = { warmUpRuns: 2, runs: 5, peerRuns: 1 };
const REPORTS_MAX = 5_000_000;
const GENERATED = { messages: 2_000_000, resting: 100_000, depth: 25_000 };
const DEEP_LEVELS = 50_000;
const DEEP_MESSAGES = 200_000;

interface Row {
  readonly case: string;
  readonly 'median messages/s': string;
  readonly 'worst messages/s': string;
  readonly runs: number;
  readonly 'times the peer'?: string;
  readonly checked: string;
}

interface Case {
  readonly name: string;
  readonly flow: Flow;
  readonly sha256: string;
  readonly warmUpRuns: number;
  readonly runs: number;
  readonly peerRuns: number;
}

/** Measures, checks and prints. Throws when a result is wrong, so that no figure comes from a broken book. */
export async function run(): Promise<void> {
  const cpu = cpus()[0]?.model ?? 'unknown processor';
  console.log(`order book: node ${process.version}, ${cpu}, ${availableParallelism()} cores`);
  const rows: Row[] = [];
  for (const one of [...recorded(), generated()]) {
    const ours = measureOurs(one);
    const peer = measurePeer(one, ours.book);
    const ratio = median(peer.times) / median(ours.times);
    rows.push({ ...rowOf(ours), 'times the peer': ratio.toFixed(1) }, rowOf(peer));
  }
  rows.push(measureDeep());
  console.table(rows);
}

function recorded(): Case[] {
  return WORKLOADS.map(({ file, sha256 }) => ({
    name: file.split('-seed')[0]!,
    sha256,
    flow: readFlow(file),
    warmUpRuns: WARM_UP_RUNS,
    runs: RUNS,
    peerRuns: PEER_RUNS,
  }));
}

/** A generated flow, with the expected reports from a simple reference book. */
function generated(): Case {
  const flow = generateFlow(GENERATED);
  const expected = new Reports(REPORTS_MAX);
  new PlainBook().run(flow, expected);
  const levels = (2 * GENERATED.depth).toLocaleString('en-US');
  return { name: `2 million messages, ${levels} prices`, flow, sha256: expected.sha256(), ...LONG };
}

/**
 * Runs a flow on a fresh book each time; every run's reports are compared with those of a run whose hash is known to be
 * right.
 */
function measureOurs({ name, flow, sha256, warmUpRuns, runs }: Case): Timing & { book: Book } {
  const reports = new Reports(REPORTS_MAX);
  let book = runOurs(flow, reports).book;
  if (reports.sha256() !== sha256) throw new Error(`${name}: the reports are wrong`);
  const expected = reports.checksum();
  const times: number[] = [];
  for (let i = 0; i < warmUpRuns + runs; i++) {
    const timed = runOurs(flow, reports);
    if (reports.checksum() !== expected) throw new Error(`${name}: a timed run reported something else`);
    if (i >= warmUpRuns) times.push(timed.ms);
    book = timed.book;
  }
  return { name: `${name}: this book`, messages: flow.count, times, checked: 'every report', book };
}

function runOurs(flow: Flow, reports: Reports): { book: Book; ms: number } {
  const store = new OrderStore();
  const book = new Book(store, 1);
  const driver = new FlowDriver({ flow, store, book, reports });
  reports.clear();
  const start = performance.now();
  driver.run();
  return { book, ms: performance.now() - start };
}

/**
 * The peer gets its messages as the objects and string ids it expects, built before the clock starts, and keeps no
 * journal. Its reports have a different form from ours, so the final books are compared, level by level.
 */
function measurePeer({ name, flow, peerRuns }: Case, ours: Book): Timing {
  const options = peerOptions(flow);
  const ids = Array.from(flow.ids, String);
  const times: number[] = [];
  let difference = 0;
  for (let i = 0; i < PEER_WARM_UP_RUNS + peerRuns; i++) {
    const peer = new PeerBook();
    const start = performance.now();
    drivePeer({ peer, flow, options, ids });
    if (i >= PEER_WARM_UP_RUNS) times.push(performance.now() - start);
    difference = levelsThatDiffer(peer, ours);
  }
  const checked = difference === 0 ? 'every level at the end' : `${difference} levels differ at the end`;
  return { name: `${name}: nodejs-order-book`, messages: flow.count, times, checked };
}

/** The peer declares this as an enum that it does not export. */
type PeerTimeInForce = NonNullable<LimitOrderOptions['timeInForce']>;

function peerOptions(flow: Flow): LimitOrderOptions[] {
  return Array.from(flow.ids, (id, i) => ({
    id: String(id),
    side: flow.sides[i] === BUY ? Side.BUY : Side.SELL,
    size: flow.quantities[i]!,
    price: flow.prices[i]!,
    timeInForce: (flow.iocs[i] === 1 ? 'IOC' : 'GTC') as PeerTimeInForce,
  }));
}

interface PeerDrive {
  readonly peer: PeerBook;
  readonly flow: Flow;
  readonly options: readonly LimitOrderOptions[];
  readonly ids: readonly string[];
}

function drivePeer({ peer, flow, options, ids }: PeerDrive): void {
  for (let i = 0; i < flow.count; i++) {
    const kind = flow.kinds[i];
    if (kind === NEW) peer.limit(options[i]!);
    else if (kind === CANCEL) peer.cancel(ids[i]!);
    else peer.modify(ids[i]!, options[i]!);
  }
}

/** Number of prices whose quantities differ between the books. */
function levelsThatDiffer(peer: PeerBook, ours: Book): number {
  const [asks, bids] = peer.depth();
  return differences(bids, ours, BUY) + differences(asks, ours, SELL);
}

function differences(peerLevels: [number, number][], ours: Book, side: BookSide): number {
  const expected = new Map<number, number>(
    ours.levels(side, Number.POSITIVE_INFINITY).map((level) => [level.price, level.quantity]),
  );
  let count = 0;
  for (const [price, quantity] of peerLevels) {
    if (expected.get(price) !== quantity) count += 1;
    expected.delete(price);
  }
  return count + expected.size;
}

/** A side with many levels; of each pair of messages one opens a level at a random depth, the other closes one. */
function measureDeep(): Row {
  const prices = shuffledPrices(DEEP_LEVELS * 2);
  const times: number[] = [];
  for (let i = 0; i < WARM_UP_RUNS + RUNS; i++) {
    const ms = runDeep(prices);
    if (i >= WARM_UP_RUNS) times.push(ms);
  }
  return rowOf({
    name: `${DEEP_LEVELS.toLocaleString('en-US')} levels, random depth`,
    messages: DEEP_MESSAGES,
    times,
    checked: 'levels at the end',
  });
}

/** A window slides over the shuffled prices: those inside it rest, so no price rests twice. */
function runDeep(prices: Int32Array): number {
  const book = new Book(new OrderStore(), 1);
  const order = { id: 0, owner: 0, side: SELL as BookSide, price: 0, quantity: 1, remaining: 1, placedAt: 0 };
  const handles: OrderHandle[] = new Array(DEEP_LEVELS + DEEP_MESSAGES / 2);
  const place = (n: number) => {
    order.id = n + 1;
    order.price = prices[n % prices.length]!;
    handles[n] = book.place(order);
  };
  for (let n = 0; n < DEEP_LEVELS; n++) place(n);
  const start = performance.now();
  for (let n = DEEP_LEVELS; n < handles.length; n++) {
    place(n);
    book.remove(handles[n - DEEP_LEVELS]!);
  }
  const ms = performance.now() - start;
  if (book.levels(SELL, Number.POSITIVE_INFINITY).length !== DEEP_LEVELS)
    throw new Error('deep: levels were lost');
  return ms;
}

/** The prices from 1 to `count` in a random order that is the same every time. */
function shuffledPrices(count: number): Int32Array {
  const prices = Int32Array.from({ length: count }, (_, i) => i + 1);
  let state = 1;
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    const swapped = prices[i]!;
    prices[i] = prices[j]!;
    prices[j] = swapped;
  }
  return prices;
}

interface Timing {
  readonly name: string;
  readonly messages: number;
  readonly times: readonly number[];
  readonly checked: string;
}

function rowOf({ name, messages, times, checked }: Timing): Row {
  const sorted = times.toSorted((a, b) => a - b);
  const rate = (ms: number) => Math.round((messages / ms) * 1_000).toLocaleString('en-US');
  return {
    case: name,
    'median messages/s': rate(median(times)),
    'worst messages/s': rate(sorted.at(-1)!),
    runs: times.length,
    checked,
  };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}

if (import.meta.main) await run();
