/** The model's memory: amounts in BigInt micros, plain arrays and Maps, nothing derived. */

import type { Address } from '@venue/protocol';
import type { Binding, BindRequest } from '../../src/state/custody.ts';
import type { VenueParameters } from '../../src/state/parameters.ts';
import type { Side } from '../../src/state/series.ts';
import type {
  ModelAccount,
  ModelAction,
  ModelAttempt,
  ModelClientId,
  ModelDecision,
  ModelDeposit,
  ModelFloor,
  ModelInstrument,
  ModelOrder,
  ModelOrderEvent,
  ModelParked,
  ModelPayout,
  ModelPosition,
  ModelPrint,
  ModelProposal,
  ModelRole,
  ModelSample,
  ModelSeries,
  ModelSet,
} from './records.ts';

export interface ModelState {
  seq: number;
  ts: number;
  /** The id of the deployment. */
  venue: string | null;
  parameters: VenueParameters | null;
  /** Every challenge ever spent. */
  readonly challenges: { readonly address: Address; readonly seq: number; readonly ts: number }[];
  /** Ever parked, oldest first. */
  readonly parked: ModelParked[];
  readonly accounts: ModelAccount[];
  readonly series: ModelSeries[];
  readonly instruments: ModelInstrument[];
  /** Every resting order of the venue, oldest first. */
  orders: ModelOrder[];
  /** Ever accepted, oldest first. */
  readonly clientIds: ModelClientId[];
  /** Visits that the entry has left; negative once it has made more (BAT-7). */
  visitsLeft: number;
  /** The accounts whose positions the entry has counted, and the sets whose rows. */
  readonly counted: Set<number | ModelSet>;
  sets: ModelSet[];
  /** The nonces of all acts that leave earlier pushes stale, by set number or symbol (QTS-1). */
  readonly floors: ModelFloor[];
  /** Sets that lost quotes in the current entry, and those that were filled in it. */
  readonly stale: Set<ModelSet>;
  readonly filled: Set<ModelSet>;
  readonly samples: ModelSample[];
  /** Expiries named by a tick, and how many prices had been accepted by then. */
  readonly known: Map<number, number>;
  readonly decisions: ModelDecision[];
  readonly audit: (ModelAttempt | ModelAction)[];
  /** Ever accepted, oldest first. */
  readonly proposals: ModelProposal[];
  /** Ever credited or held, oldest first. */
  readonly deposits: ModelDeposit[];
  /** Ever requested, oldest first. */
  readonly payouts: ModelPayout[];
  binding: Binding | null;
  isBindingUnused: boolean;
  earlierBindings: Binding[];
  bindRequests: readonly BindRequest[];
  epoch: number;
  halted: string | null;
  /** Deposits that an operator holds in doubt. */
  readonly doubted: ModelDeposit[];
  frozenWithdrawals: Address[];
  /** Tape prints of the current entry. */
  tape: ModelPrint[];
  /** Effects of the current entry on traders' orders. */
  orderEvents: ModelOrderEvent[];
  /** Situations of the current entry that nothing else shows, for `coverage.ts`. */
  notes: string[];
  lastOrderId: number;
  lastArrival: number;
  lastFillId: number;
  lastMaintenanceTs: number | null;
  lastQuoteTs: number;
  /** 0 before the first. */
  quoteSession: number;
  /** In the order of their sessions, from 1. */
  quoteAttempts: string[];
}

export const HOUSE = 0;
export const FEES = 1;
export const MAKER = 2;

/** The model before the first entry, with the venue's own three accounts. */
export function createModelState(): ModelState {
  const state: ModelState = {
    seq: 0,
    ts: 0,
    venue: null,
    parameters: null,
    challenges: [],
    parked: [],
    accounts: [],
    series: [],
    instruments: [],
    orders: [],
    clientIds: [],
    visitsLeft: Number.POSITIVE_INFINITY,
    counted: new Set(),
    sets: [],
    floors: [],
    stale: new Set(),
    filled: new Set(),
    samples: [],
    known: new Map(),
    decisions: [],
    audit: [],
    proposals: [],
    deposits: [],
    payouts: [],
    binding: null,
    isBindingUnused: false,
    earlierBindings: [],
    bindRequests: [],
    epoch: 0,
    halted: null,
    doubted: [],
    frozenWithdrawals: [],
    tape: [],
    orderEvents: [],
    notes: [],
    lastOrderId: 0,
    lastArrival: 0,
    lastFillId: 0,
    lastMaintenanceTs: null,
    lastQuoteTs: 0,
    quoteSession: 0,
    quoteAttempts: [],
  };
  for (const role of ['house', 'fees', 'maker'] as const) openAccount(state, role, null);
  return state;
}

export function openAccount(state: ModelState, role: ModelRole, address: Address | null): ModelAccount {
  const paid = role === 'trader' && parametersOf(state).fundingMode === 'paper';
  const account: ModelAccount = {
    index: state.accounts.length,
    role,
    address,
    cash: paid ? paperCash(parametersOf(state), address) : 0n,
    realized: 0n,
    marginEnabled: false,
    marginMode: 'per-leg',
    frozen: false,
    wasCalled: false,
    calledSince: null,
    quarters: null,
    positions: new Map(),
    fills: [],
    sessions: [],
    guardAt: null,
  };
  state.accounts.push(account);
  return account;
}

/** Mark makers get more. */
function paperCash(parameters: VenueParameters, address: Address | null): bigint {
  const isMarkMaker = parameters.markMakers.some((one) => one === address);
  const { paperCashMicros, paperMakerCashMicros } = parameters;
  return BigInt(isMarkMaker ? paperMakerCashMicros : paperCashMicros);
}

export function parametersOf(state: ModelState): VenueParameters {
  if (state.parameters === null) throw new Error('not configured');
  return state.parameters;
}

export function accountAt(state: ModelState, address: Address): ModelAccount | undefined {
  return state.accounts.find((account) => account.address === address);
}

export function instrumentOf(state: ModelState, symbol: string): ModelInstrument | undefined {
  return state.instruments.find((instrument) => instrument.symbol === symbol);
}

/** The position, or a flat one that is not stored. */
export function positionIn(account: ModelAccount, sid: number): ModelPosition {
  return account.positions.get(sid) ?? { qty: 0n, cost: 0n, realized: 0n };
}

/** The resting orders of one side in match priority: best price first, then the earliest arrival. */
export function bookSide(state: ModelState, sid: number, side: Side): ModelOrder[] {
  const better = (a: ModelOrder, b: ModelOrder) => (side === 'buy' ? a.price > b.price : a.price < b.price);
  return state.orders
    .filter((order) => order.sid === sid && order.side === side)
    .sort((a, b) => (a.price === b.price ? a.arrival - b.arrival : better(a, b) ? -1 : 1));
}

/** The orders of an account, without the quotes of its sets. */
export function ordersOf(state: ModelState, owner: number): ModelOrder[] {
  return state.orders.filter((order) => order.owner === owner && order.set === null);
}

export function restingOf(state: ModelState, owner: number, sid: number, side: Side): ModelOrder[] {
  return ordersOf(state, owner).filter((order) => order.sid === sid && order.side === side);
}

/** Remembered for twelve minutes, longer than a challenge is valid. */
export function rememberedChallenges(state: ModelState, address: Address) {
  return state.challenges.filter((one) => one.address === address && state.ts - one.ts <= 12 * 60_000);
}
