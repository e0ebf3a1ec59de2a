/**
 * A seeded flow of signed orders and cancels for a whole symbol, created once by the engine itself and then replayed.
 */

import type { Address, Hex } from '@venue/protocol';
import { Random } from '../../packages/engine/sim/random.ts';
import type { Command, Entry, OutcomeOf } from '../../packages/engine/src/index.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';

/** 16 expiries of 41 strikes, calls and puts: 1,312 series. */
const EXPIRIES = Array.from({ length: 16 }, (_, i) => START_MS / 1_000 + (i + 1) * DAY_S);
/** Series each account trades. */
const SERIES_PER_ACCOUNT = 4;
const CANCEL_SHARE = 0.45;
/** Share of orders that cross the maker's quotes. */
const TAKING_SHARE = 0.2;
const SESSION_MS = 24 * 3_600_000;
const SIGNATURE = `0x${'ab'.repeat(65)}` as Hex;
const TO_DEFINED_RISK = { type: 'margin-mode', mode: 'defined-risk' } as const;
const BID = 3;
const ASK = 3.2;
const TICK = 0.01;

export interface FlowOptions {
  readonly accounts: number;
  readonly entries: number;
  /** True if every other account is margined for defined risk. */
  readonly halfDefinedRisk?: boolean;
}

/** The results of a flow when it was created. */
export interface FlowCounts {
  orders: number;
  traded: number;
  rejected: number;
  cancels: number;
}

export interface EngineFlow {
  readonly entries: readonly Entry[];
  readonly counts: Readonly<FlowCounts>;
}

interface Trader {
  readonly address: Address;
  readonly sessionKey: Address;
  readonly seriesIds: readonly string[];
  readonly resting: number[];
  nonce: number;
}

/**
 * A venue where every account is funded, has an approved session key and margin on, and the maker quotes every series.
 */
export function openVenue(
  { accounts, halfDefinedRisk = false }: FlowOptions,
  onCommand?: (command: Command, ts: number) => void,
): Venue {
  const venue = new Venue(
    EXPIRIES,
    {
      paperCashMicros: (20_000 * MICROS) as never,
      sourceStaleMs: 3_600_000,
    },
    onCommand,
  );
  const qty = 1_000_000;
  venue.quote(venue.state.series, { bid: BID, ask: ASK, bidQty: qty, askQty: qty });
  for (let i = 0; i < accounts; i++) {
    const account = venue.open(i);
    const expiresAt = START_MS + SESSION_MS;
    venue.apply({ kind: 'approve', address: account, sessionKey: keyOf(i), expiresAt, signature: SIGNATURE });
    venue.apply({ kind: 'margin', account, enabled: true });
    if (halfDefinedRisk && i % 2 === 0) venue.apply({ kind: 'batch', account, actions: [TO_DEFINED_RISK] });
  }
  return venue;
}

/**
 * The entries after `openVenue`, or at a venue that was opened so and has more accounts since. Every write is signed
 * with a session key and a fresh nonce.
 */
export function makeFlow(options: FlowOptions, venue = openVenue(options)): EngineFlow {
  const random = new Random(options.accounts);
  const traders = venue.traders
    .slice(0, options.accounts)
    .map(({ address }, i) => traderOf(venue, address!, i));
  const counts: FlowCounts = { orders: 0, traded: 0, rejected: 0, cancels: 0 };
  const entries: Entry[] = [];
  while (entries.length < options.entries) {
    const trader = random.pick(traders);
    const isCancel = trader.resting.length > 0 && random.chance(CANCEL_SHARE);
    const command = isCancel ? cancelOf(trader, random) : orderOf(trader, random);
    entries.push({ seq: venue.state.seq + 1, ts: START_MS, command });
    const outcome = venue.apply(command);
    if (command.kind === 'cancel-order') counts.cancels += 1;
    else noteOrder(trader, counts, outcome as OutcomeOf<'order'>);
  }
  return { entries, counts };
}

function noteOrder(trader: Trader, counts: FlowCounts, outcome: OutcomeOf<'order'>): void {
  if ('refusal' in outcome) throw new Error(`an order of the flow was refused: ${outcome.refusal}`);
  counts.orders += 1;
  if (outcome.status === 'rejected') counts.rejected += 1;
  else if (outcome.trades.length > 0) counts.traded += 1;
  if (outcome.status === 'rested') trader.resting.push(outcome.orderId);
}

function keyOf(i: number): Address {
  return `0x5e55${i.toString(16).padStart(36, '0')}` as Address;
}

function traderOf({ state }: Venue, address: Address, i: number): Trader {
  const seriesIds = Array.from(
    { length: SERIES_PER_ACCOUNT },
    (_, n) => state.series[(i * 31 + n * 293) % state.series.length]!.seriesId,
  );
  return { address, sessionKey: keyOf(i), seriesIds, resting: [], nonce: START_MS };
}

function authorizationOf(trader: Trader) {
  trader.nonce += 1;
  return { sessionKey: trader.sessionKey, nonce: trader.nonce, signature: SIGNATURE };
}

function cancelOf(trader: Trader, random: Random): Command {
  const at = random.between(0, trader.resting.length - 1);
  const orderId = trader.resting[at]!;
  trader.resting[at] = trader.resting.at(-1)!;
  trader.resting.pop();
  return { kind: 'cancel-order', account: trader.address, orderId, authorization: authorizationOf(trader) };
}

/** One in five takes the maker's price; the others rest at one of nine prices outside the spread. */
function orderOf(trader: Trader, random: Random): Command {
  const isBuy = random.chance(0.5);
  const away = random.chance(TAKING_SHARE) ? 0 : random.between(1, 9);
  const taking = isBuy ? ASK : BID;
  const resting = isBuy ? BID - away * TICK : ASK + away * TICK;
  const price = away === 0 ? taking : resting;
  return {
    kind: 'order',
    account: trader.address,
    seriesId: random.pick(trader.seriesIds),
    side: isBuy ? 'buy' : 'sell',
    qtyMicros: random.between(1, 20) * (MICROS / 10),
    priceMicros: Math.round(price * MICROS),
    authorization: authorizationOf(trader),
  };
}
