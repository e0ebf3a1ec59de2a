/** The engine's state and outcomes as plain JSON, for comparison with the model's. */

import type { Address, AuditRecord } from '@venue/protocol';
import { type BookSide, BUY, SELL } from '../src/book/book.ts';
import type { CommandKind } from '../src/entry/command.ts';
import type { ActionResult, LegTrade, RowError, Trade } from '../src/entry/outcome.ts';
import { recentMedianMicros } from '../src/expiry/recent-spots.ts';
import { openProposals } from '../src/expiry/settle-proposals.ts';
import {
  buyingPowerMicros,
  equityMicros,
  lastSpent,
  levelInForce,
  lockedMicros,
  maintenanceMarginMicros,
  openParked,
  positionMarkMicros,
} from '../src/index.ts';
import { ivAt } from '../src/risk/annotations.ts';
import type { Account, Payout } from '../src/state/account.ts';
import { NONCE_WINDOW_MS, SESSION_GRACE_MS } from '../src/state/limits.ts';
import { isSetOwner, type QuoteSet } from '../src/state/quote-sets.ts';
import type { FillRecord, SettleProposal } from '../src/state/records.ts';
import type { Decision, Instrument, Series } from '../src/state/series.ts';
import type { SessionRecord } from '../src/state/session.ts';
import type { State } from '../src/state/state.ts';
import {
  type AccountDescription,
  type AttemptDescription,
  type CustodyDescription,
  type DecisionDescription,
  type Description,
  FILLS_DESCRIBED,
  type FillDescription,
  type InstrumentDescription,
  NO_ORDERS,
  type OrderDescription,
  type PayoutDescription,
  type PlainAmount,
  type PlainOutcome,
  type PositionDescription,
  type ProposalDescription,
  plainRowErrors,
  plainTerms,
  type RiskDescription,
  type SeriesDescription,
  type SessionDescription,
  type SetDescription,
} from './description.ts';

/** Everything in the engine's state that a client could ever notice. */
export function describeState(state: State): Description {
  return {
    venue: state.venue,
    featureLevel: levelInForce(state),
    challenges: describeChallenges(state),
    parked: openParked(state),
    parkedAnswers: state.parkedAnswers.filter(({ attestation }) => attestation !== null),
    accounts: state.accounts.map((account) => describeAccount(state, account)),
    series: state.series.map((series) => describeSeries(state, series)),
    instruments: [...state.instruments.values()].map((one) => describeInstrument(state, one)),
    decisions: [...state.instruments.values()].flatMap(({ decisions }) =>
      [...decisions.values()].map(describeDecision),
    ),
    audit: state.audit.entries.map(describeAttempt),
    proposals: openProposals(state).map(describeProposal),
    custody: describeCustody(state),
  };
}

function describeChallenges(state: State): [Address, number][] {
  const addresses = [...state.spentChallenges.keys()].sort();
  return addresses.flatMap((address) => {
    const spent = lastSpent(state, address, state.ts);
    return spent === undefined ? [] : [[address, spent.seq]];
  });
}

function describeAccount(state: State, account: Account): AccountDescription {
  return {
    index: account.index,
    address: account.address,
    cash: account.cashMicros,
    realized: account.realizedMicros,
    equity: equityMicros(state, account),
    marginEnabled: account.marginEnabled,
    marginMode: account.marginMode,
    frozen: account.frozen,
    held: { amount: account.heldMicros, deposits: account.heldCount },
    risk: account.role === 'trader' ? describeRisk(state, account) : null,
    positions: describePositions(account),
    fills: account.fills.slice(Math.max(account.fills.size - FILLS_DESCRIBED, 0)).map(describeFill),
    sessions: describeSessions(state, account),
    clientIds: describeClientIds(state, account),
    guardAt: state.deadlines.guardOf(account.index),
    sets: state.quoteSets.of(account.index).map(describeSet),
    pushFloors: state.pushFloors.rows(account.index, state.ts),
  };
}

function describeSet(set: QuoteSet): SetDescription {
  const { number, symbol, protection, freeze } = set;
  const { windowMs, frozenMs, qtyMicros: qty, deltaMicros: delta } = protection;
  return {
    ...{ number, symbol, windowMs, frozenMs, qty, delta, used: set.usedMicros },
    usedDelta: String(set.usedDelta),
    firstFillTs: set.firstFillTs,
    frozenUntil: freeze === null ? null : (freeze.until ?? 'unfreeze'),
    ...{ touchedTs: set.lastPushTs, reserve: set.reserveMicros },
    rows: [...set.rows.values()]
      .map(({ sid, iv, delta }) => [sid, iv, delta] as const)
      .sort(([a], [b]) => a - b),
  };
}

/** Ids of open orders, by their terms, and of those that were closed a short time ago. */
function describeClientIds({ orders, terms, clientIds, ts }: State, { index }: Account): [string, number][] {
  const known = clientIds.closedOf(index, ts);
  for (let h = orders.firstOf(index); h !== null; h = orders.nextOf(h)) {
    const { clientId } = terms.of(orders.id(h));
    const open = clientId === undefined ? null : clientIds.find(index, clientId, ts);
    if (open !== null) known.push(open);
  }
  return known.map(({ clientId, orderId }): [string, number] => [clientId, orderId]).sort(byClientId);
}

function byClientId([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

function describeRisk(state: State, account: Account): RiskDescription {
  const maintenance = maintenanceMarginMicros(state, account);
  return {
    reserved: account.reservedMicros,
    locked: lockedMicros(state, account),
    buyingPower: buyingPowerMicros(state, account),
    maintenance,
    marginCall: equityMicros(state, account) < maintenance,
    wasCalled: account.wasCalled,
    calledSince: account.calledSince,
    quarters: describeQuarters(account),
  };
}

function describeQuarters({ quarters }: Account): RiskDescription['quarters'] {
  return quarters === null ? null : [quarters.tick, [...quarters.sizes].sort(([a], [b]) => a - b)];
}

function describePositions(account: Account): PositionDescription[] {
  const described: PositionDescription[] = [];
  for (const position of account.positions) {
    const { sid } = position.series;
    const { qtyMicros: qty, restingBuyMicros: restingBuy, restingSellMicros: restingSell } = position;
    if (qty === 0 && restingBuy === 0 && restingSell === 0) continue;
    const { costMicros: cost, realizedMicros: realized } = position;
    described.push({ sid, qty, cost, realized, restingBuy, restingSell });
  }
  return described.sort((a, b) => a.sid - b.sid);
}

function describeFill(fill: FillRecord): FillDescription {
  const { id, orderId, side, taker, ts, kind } = fill;
  return {
    id,
    orderId,
    sid: fill.series.sid,
    side,
    price: fill.priceMicros,
    qty: fill.qtyMicros,
    fee: fill.feeMicros,
    realized: fill.realizedMicros,
    taker,
    ts,
    kind,
    signer: fill.signer ?? null,
  };
}

/** Leaves out records that expired over a day ago; the engine may prune them later. */
function describeSessions(state: State, account: Account): SessionDescription[] {
  const remembered = [...account.sessions.values()].filter(
    ({ expiresAt, supersededExpiries }) =>
      state.ts <= Math.max(expiresAt, ...supersededExpiries) + SESSION_GRACE_MS,
  );
  return remembered.map((session) => describeSession(state, session)).sort(byKey);
}

function describeSession(state: State, session: SessionRecord): SessionDescription {
  const { sessionKey: key, expiresAt, approvedAt, revokedAt } = session;
  const { approval, revocation, attestation, revocationAttestation } = session;
  const live = [...session.nonces].filter((nonce) => nonce >= state.ts - NONCE_WINDOW_MS);
  return {
    ...{ key, expiresAt, approvedAt, revokedAt, nonces: live.sort((a, b) => a - b) },
    ...{ approval, revocation, attestation, revocationAttestation },
  };
}

function byKey(a: SessionDescription, b: SessionDescription): number {
  return a.key < b.key ? -1 : 1;
}

function describeSeries(state: State, series: Series): SeriesDescription {
  const { seriesId, status, iv, delta } = series;
  return {
    seriesId,
    status,
    mark: positionMarkMicros(state, series),
    openInterest: series.openInterestMicros,
    volume: series.volumeMicros,
    iv,
    delta,
    modelIv: ivAt(series, state.ts),
    bids: describeOrders(state, series, BUY),
    asks: describeOrders(state, series, SELL),
  };
}

function describeOrders(state: State, { book }: Series, side: BookSide): readonly OrderDescription[] {
  if (book.best(side) === null) return NO_ORDERS;
  const { orders, terms } = state;
  const described: OrderDescription[] = [];
  for (let h = book.best(side); h !== null; h = book.next(h)) {
    described.push({
      id: orders.id(h),
      ...ownerOf(state, orders.owner(h)),
      price: orders.price(h),
      qty: orders.quantity(h),
      remaining: orders.remaining(h),
      ts: orders.placedAt(h),
      terms: plainTerms(terms.of(orders.id(h))),
    });
  }
  return described;
}

/** An account, and of a quote its set. */
function ownerOf({ quoteSets }: State, owner: number): Pick<OrderDescription, 'owner' | 'set'> {
  if (!isSetOwner(owner)) return { owner, set: null };
  const { account, number } = quoteSets.ofOwner(owner);
  return { owner: account, set: number };
}

function describeInstrument({ ts }: State, instrument: Instrument): InstrumentDescription {
  const { symbol, assetClass, active, spotMicros: spot, jump } = instrument;
  const sources = [...instrument.sources.values()].map(({ source, priceMicros: price, ts }) => ({
    source,
    price,
    ts,
  }));
  return { symbol, assetClass, active, spot, median: recentMedianMicros(instrument, ts), jump, sources };
}

function describeDecision(decision: Decision): DecisionDescription {
  const { instrument, expiryTs, refusal, boundBps, judgedAt, decidedAt, by } = decision;
  const sources = decision.sources.map(({ source, averageMicros: average, fresh, lastMicros, lastTs }) => {
    return { source, average, fresh, last: lastMicros, lastTs };
  });
  return {
    symbol: instrument.symbol,
    expiryTs,
    sources: sources.sort((a, b) => (a.source < b.source ? -1 : 1)),
    dispersion: decision.dispersionMicroBps,
    anchor: decision.anchorMicros,
    refusal,
    boundBps,
    judgedAt,
    price: decision.priceMicros,
    decidedAt,
    by,
  };
}

/** Without the hashes, which the invariants check. */
function describeAttempt(attempt: AuditRecord): AttemptDescription {
  const by = attempt.by ?? null;
  if ('action' in attempt) {
    const { n, ts, seq, action, terms, reason } = attempt;
    return { n, ts, seq, by, action, terms, reason };
  }
  const { n, ts, seq, seriesId, symbol, expiryTs, boundBps, reason } = attempt;
  return {
    ...{ n, ts, seq, by, seriesId, symbol, expiryTs, boundBps, reason },
    step: attempt.step ?? null,
    price: attempt.priceMicros,
    anchor: attempt.anchorMicros,
    deviation: attempt.deviationMicroBps,
    gates: attempt.gates.map(({ gate, passed }) => [gate, passed] as const),
  };
}

function describeProposal({ priceMicros, ...proposal }: SettleProposal): ProposalDescription {
  return { ...proposal, price: priceMicros };
}

function describeCustody({ custody }: State): CustodyDescription {
  const { binding, bindRequests, epoch, halted } = custody;
  return {
    deposits: [...custody.deposits.values()],
    payouts: custody.payouts.map(describePayout),
    pending: plainSum(custody.pendingMicros),
    committed: plainSum(custody.committedMicros),
    ...{ binding, bindRequests, epoch, halted, houseFunded: custody.houseFundedMicros },
    doubted: [...custody.doubted].sort(),
    frozenWithdrawals: [...custody.frozenWithdrawals].sort(),
    deposited: plainSum(custody.depositedMicros),
  };
}

function describePayout({ account, amountMicros, ...payout }: Payout): PayoutDescription {
  return { ...payout, owner: account.index, amount: amountMicros };
}

function plainSum(sum: bigint): PlainAmount {
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : String(sum);
}

/** An outcome with account indexes instead of accounts, and trades as pairs. */
export function plainOutcome(state: State, outcome: object, kind?: CommandKind): PlainOutcome {
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(outcome)) {
    if (key === 'account') plain.account = (value as Account | null)?.index ?? null;
    else if (key === 'session' && typeof value === 'object')
      plain.session = describeSession(state, value as SessionRecord);
    else if (key === 'trades') plain.trades = (value as (Trade | LegTrade)[]).map(plainTrade);
    else if (key === 'decision') plain.decision = describeDecision(value as Decision);
    else if (key === 'proposal') plain.proposal = describeProposal(value as SettleProposal);
    else if (key === 'settles') plain.settles = (value as Series[]).map(({ sid }) => sid);
    else if (key === 'settled') plain.settled = (value as Series[]).map(({ sid }) => sid);
    else if (key === 'restedMicros') plain.rested = value;
    else if (key === 'payout') plain.payout = describePayout(value as Payout);
    else if (key === 'payouts') plain.payouts = (value as Payout[]).map(describePayout);
    else if (key === 'results')
      plain.results = (value as ActionResult[]).map((result) => plainOutcome(state, result));
    else if (key === 'qtyMicros') plain.qty = value;
    else if (key === 'rowErrors') plain.rowErrors = plainRowErrors(value as RowError[], kind === 'quote-set');
    else plain[key] = value;
  }
  return plain;
}

/** A fill of a leg tells which. */
function plainTrade(trade: Trade | LegTrade): unknown[] {
  const amounts = [trade.priceMicros, trade.qtyMicros];
  return 'series' in trade ? [trade.series.sid, trade.side, ...amounts] : amounts;
}
