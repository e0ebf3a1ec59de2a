/** The model as plain JSON, in the same shape as the engine's description. */

import type { Address } from '@venue/protocol';
import type { ParkedAnswer, ParkedApproval } from '../../src/state/records.ts';
import {
  type AccountDescription,
  type AttemptDescription,
  byOrder,
  type CustodyDescription,
  type DecisionDescription,
  type Description,
  FILLS_DESCRIBED,
  type FillDescription,
  type HeldDescription,
  type InstrumentDescription,
  NO_ORDERS,
  type OrderDescription,
  type PayoutDescription,
  type PlainAmount,
  type PlainEvents,
  type PositionDescription,
  type ProposalDescription,
  plainTerms,
  type RiskDescription,
  type SeriesDescription,
  type SessionDescription,
  type SetDescription,
} from '../description.ts';
import { committedOf, depositedOf, heldOf, houseFunded } from './custody.ts';
import { openProposals } from './hand-settlement.ts';
import { jumpOf, minuteMedian } from './jumps.ts';
import { ivOf, mark } from './marks.ts';
import type { Meeting } from './matching.ts';
import { sum } from './numbers.ts';
import { openParked } from './parked.ts';
import type {
  ModelAccount,
  ModelAction,
  ModelAttempt,
  ModelDecision,
  ModelFill,
  ModelInstrument,
  ModelOrder,
  ModelOrderEvent,
  ModelParked,
  ModelPayout,
  ModelProposal,
  ModelSeries,
  ModelSession,
  ModelSet,
} from './records.ts';
import { knownClientIds } from './resting.ts';
import { buyingPower, equity, inMarginCall, locked, maintenance, openInterest, reserved } from './risk.ts';
import { liveNonces } from './sessions.ts';
import { bookSide, type ModelState, rememberedChallenges } from './state.ts';
import { restingQty, seriesOf } from './units.ts';

export function describeModel(state: ModelState): Description {
  return {
    venue: state.venue,
    featureLevel: state.parameters?.version ?? 1,
    challenges: describeChallenges(state),
    parked: openParked(state).map(describeParked),
    parkedAnswers: describeParkedAnswers(state),
    accounts: state.accounts.map((account) => describeAccount(state, account)),
    series: state.series.map((series) => describeSeries(state, series)),
    instruments: state.instruments.map((instrument) => describeInstrument(state, instrument)),
    decisions: state.instruments.flatMap(({ symbol }) =>
      state.decisions.filter((decision) => decision.symbol === symbol).map(describeDecision),
    ),
    audit: state.audit.map(describeAttempt),
    proposals: openProposals(state).map(describeProposal),
    custody: describeCustody(state),
  };
}

function describeChallenges(state: ModelState): [Address, number][] {
  const addresses = [...new Set(state.challenges.map(({ address }) => address))].sort();
  return addresses.flatMap((address) => {
    const last = rememberedChallenges(state, address).at(-1);
    return last === undefined ? [] : [[address, last.seq]];
  });
}

export function describeParked({ id, terms, parkedAt }: ModelParked): ParkedApproval {
  return { id, ...terms, parkedAt };
}

export function describeParkedAnswer({ id, terms, parkedAt, answer }: ModelParked): ParkedAnswer {
  const { refusal, attestation, ts } = answer!;
  const { signature: _, ...others } = terms;
  return { id, ...others, parkedAt, refusal, attestation, answeredAt: ts };
}

function describeParkedAnswers({ parked }: ModelState): ParkedAnswer[] {
  const answered = parked.filter(({ answer }) => answer !== null);
  return answered.sort((a, b) => a.answer!.seq - b.answer!.seq).map(describeParkedAnswer);
}

export function describeModelEvents(state: ModelState, firstFillId: number): PlainEvents {
  const fillIds = state.accounts.flatMap(({ fills }) => fills.map(({ id }) => id));
  return {
    tape: state.tape.map(({ sid, price, qty, side, isSelf }) => [
      ...([sid, plain(price), plain(qty)] as const),
      side,
      isSelf,
    ]),
    fillIds: fillIds.filter((id) => id >= firstFillId).sort((a, b) => a - b),
    ...byOrder(state.orderEvents.map(plainEvent)),
  };
}

function plainEvent(event: ModelOrderEvent): PlainEvents['orders'][number] {
  const { id, owner, what } = event;
  switch (event.what) {
    case 'opened': {
      const { sid, side, price, qty, terms } = event;
      return [
        id,
        owner,
        what,
        sid,
        side,
        price === null ? null : plain(price),
        plain(qty),
        plainTerms(terms),
      ];
    }
    case 'combo': {
      const { legs, net, qty, terms } = event;
      return [id, owner, what, legs, net === null ? null : plain(net), plain(qty), plainTerms(terms)];
    }
    case 'amended':
      return [id, owner, what, plain(event.price), plain(event.qty)];
    case 'closed':
      return [id, owner, what, event.cause];
  }
}

export function plain(amount: bigint): PlainAmount {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : String(amount);
}

export function plainTrades(trades: readonly Meeting[]): PlainAmount[][] {
  return trades.map(({ resting, qty }) => [plain(resting.price), plain(qty)]);
}

function describeAccount(state: ModelState, account: ModelAccount): AccountDescription {
  return {
    index: account.index,
    address: account.address,
    cash: plain(account.cash),
    realized: plain(account.realized),
    equity: plain(equity(state, account)),
    marginEnabled: account.marginEnabled,
    marginMode: account.marginMode,
    frozen: account.frozen,
    held: describeHeld(state, account),
    risk: account.role === 'trader' ? describeRisk(state, account) : null,
    positions: seriesOf(state, account).flatMap((series) => describePosition(state, account, series)),
    fills: account.fills.slice(-FILLS_DESCRIBED).map(describeFill),
    sessions: account.sessions.map((session) => describeSession(state, session)).sort(byKey),
    clientIds: describeClientIds(state, account),
    guardAt: account.guardAt,
    sets: state.sets
      .filter(({ owner }) => owner === account.index)
      .sort((a, b) => a.number - b.number)
      .map(describeSet),
    pushFloors: describeFloors(state, account),
  };
}

function describeSet(set: ModelSet): SetDescription {
  const { number, symbol, protection, used, usedDelta, reserve, rows } = set;
  const { windowMs, qty, delta, frozenMs } = protection;
  const { firstFillTs, frozenUntil, touchedTs } = set;
  return {
    ...{ number, symbol, windowMs, frozenMs, qty: plain(qty), delta: plainOrNull(delta) },
    ...{ used: plain(used), usedDelta: String(usedDelta), reserve: plain(reserve) },
    ...{ firstFillTs, frozenUntil, touchedTs },
    rows: [...rows].map(([sid, { iv, given }]) => [sid, iv, given] as const).sort(([a], [b]) => a - b),
  };
}

/** Floors below the window refuse nothing. */
function describeFloors({ floors, ts }: ModelState, { index }: ModelAccount): [number | string, number][] {
  const own = floors.filter(({ owner, nonce }) => owner === index && nonce >= ts - 60_000);
  const keys = [...new Set(own.map(({ of }) => of))].sort((a, b) => (String(a) < String(b) ? -1 : 1));
  return keys.map((key) => [key, Math.max(...own.filter(({ of }) => of === key).map(({ nonce }) => nonce))]);
}

function describeClientIds(state: ModelState, { index }: ModelAccount): [string, number][] {
  const known = knownClientIds(state, index).map(({ clientId, orderId }): [string, number] => [
    clientId,
    orderId,
  ]);
  return known.sort(([a], [b]) => (a < b ? -1 : 1));
}

function describeRisk(state: ModelState, account: ModelAccount): RiskDescription {
  return {
    reserved: plain(reserved(state, account)),
    locked: plain(locked(state, account)),
    buyingPower: plain(buyingPower(state, account)),
    maintenance: plain(maintenance(state, account)),
    marginCall: inMarginCall(state, account),
    wasCalled: account.wasCalled,
    calledSince: account.calledSince,
    quarters: describeQuarters(account),
  };
}

function describeQuarters({ quarters }: ModelAccount): RiskDescription['quarters'] {
  if (quarters === null) return null;
  const sizes = [...quarters.sizes].sort(([a], [b]) => a - b);
  return [quarters.tick, sizes.map(([sid, size]) => [sid, plain(size)] as const)];
}

function describeHeld(state: ModelState, account: ModelAccount): HeldDescription {
  const held = heldOf(state, account);
  return { amount: plain(sum(held)), deposits: held.length };
}

function describeCustody(state: ModelState): CustodyDescription {
  const { deposits, payouts, binding, bindRequests, epoch, halted, doubted, frozenWithdrawals } = state;
  const total = (of: readonly ModelPayout[]) => plain(sum(of.map(({ amount }) => amount)));
  return {
    deposits: [...deposits],
    payouts: payouts.map(describePayout),
    pending: total(payouts.filter(({ txHash, voidedAt }) => txHash === null && voidedAt === null)),
    committed: plain(committedOf(state)),
    ...{ binding, bindRequests, epoch, halted, houseFunded: plain(houseFunded(state)) },
    doubted: doubted.map(({ txHash, logIndex }) => `${txHash}:${logIndex}`).sort(),
    frozenWithdrawals: [...frozenWithdrawals].sort(),
    deposited: plain(depositedOf(state)),
  };
}

export function describePayout({ amount, ...payout }: ModelPayout): PayoutDescription {
  return { ...payout, amount: plain(amount) };
}

/** Undefined for a series in which the account has neither a position nor resting orders. */
function describePosition(
  state: ModelState,
  account: ModelAccount,
  series: ModelSeries,
): PositionDescription[] {
  const { sid } = series;
  const { qty, cost, realized } = account.positions.get(sid) ?? { qty: 0n, cost: 0n, realized: 0n };
  const restingBuy = plain(restingQty(state, account, series, 'buy'));
  const restingSell = plain(restingQty(state, account, series, 'sell'));
  if (qty === 0n && restingBuy === 0 && restingSell === 0) return [];
  return [{ sid, qty: plain(qty), cost: plain(cost), realized: plain(realized), restingBuy, restingSell }];
}

function describeFill(fill: ModelFill): FillDescription {
  const { id, orderId, sid, side, price, qty, fee, realized, taker, ts, kind, signer } = fill;
  const amounts = { price: plain(price), qty: plain(qty), fee: plain(fee), realized: plain(realized) };
  return { id, orderId, sid, side, ...amounts, taker, ts, kind, signer };
}

export function describeSession(state: ModelState, session: ModelSession): SessionDescription {
  const { key, expiresAt, approvedAt, revokedAt } = session;
  const { approval, revocation, attestation, revocationAttestation } = session;
  const nonces = liveNonces(state, session).sort((a, b) => a - b);
  return {
    ...{ key, expiresAt, approvedAt, revokedAt, nonces },
    ...{ approval, revocation, attestation, revocationAttestation },
  };
}

function byKey(a: SessionDescription, b: SessionDescription): number {
  return a.key < b.key ? -1 : 1;
}

function describeSeries(state: ModelState, series: ModelSeries): SeriesDescription {
  const { sid, seriesId, status, iv, delta } = series;
  return {
    seriesId,
    status,
    mark: plain(mark(state, series)),
    openInterest: plain(openInterest(state, sid)),
    volume: plain(series.volume),
    iv,
    delta,
    modelIv: ivOf(state, series) ?? null,
    bids: describeOrders(bookSide(state, sid, 'buy')),
    asks: describeOrders(bookSide(state, sid, 'sell')),
  };
}

function describeOrders(orders: readonly ModelOrder[]): readonly OrderDescription[] {
  return orders.length === 0 ? NO_ORDERS : orders.map(describeOrder);
}

function describeOrder(order: ModelOrder): OrderDescription {
  const { id, owner, set, price, qty, remaining, ts, terms } = order;
  const amounts = { price: plain(price), qty: plain(qty), remaining: plain(remaining) };
  return { id, owner, set: set?.number ?? null, ...amounts, ts, terms: plainTerms(terms) };
}

export function describeDecision(decision: ModelDecision): DecisionDescription {
  return {
    ...decision,
    sources: decision.sources.map((source) => ({
      ...source,
      average: plainOrNull(source.average),
      last: plain(source.last),
    })),
    dispersion: plainOrNull(decision.dispersion),
    anchor: plainOrNull(decision.anchor),
    price: plainOrNull(decision.price),
  };
}

function describeAttempt(attempt: ModelAttempt | ModelAction): AttemptDescription {
  if ('action' in attempt) return attempt;
  const { price, anchor, deviation } = attempt;
  return {
    ...attempt,
    price: plainOrNull(price),
    anchor: plainOrNull(anchor),
    deviation: plainOrNull(deviation),
  };
}

export function describeProposal({ price, ...proposal }: ModelProposal): ProposalDescription {
  return { ...proposal, price: plain(price) };
}

function plainOrNull(amount: bigint | null): PlainAmount | null {
  return amount === null ? null : plain(amount);
}

function describeInstrument({ ts }: ModelState, instrument: ModelInstrument): InstrumentDescription {
  const median = plainOrNull(minuteMedian(instrument, ts));
  const jump = jumpOf(instrument);
  const { symbol, assetClass, active, spot } = instrument;
  const sources = instrument.sources.map(({ source, price, ts }) => ({ source, price: plain(price), ts }));
  return { symbol, assetClass, active, spot: plain(spot), median, jump, sources };
}
