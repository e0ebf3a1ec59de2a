/**
 * The naive exchange: the rules again, slow and obvious, compared with the engine after every entry. It shares no
 * arithmetic and no code with the engine, only the types of the commands.
 */

import type { Address, ErrorName } from '@venue/protocol';
import type {
  Authorization,
  BatchCommand,
  CancelCommand,
  CancelOrderCommand,
  CommandKind,
  ConfigureCommand,
  Entry,
  MarginCommand,
  OrderCommand,
  QuoteSetCommand,
  SettleProposeCommand,
  SignInCommand,
  WithdrawCommand,
} from '../src/entry/command.ts';
import type { CommitCommand, ReleaseCommand } from '../src/entry/custody-command.ts';
import { type Description, type PlainEvents, type PlainOutcome, plainRowErrors } from './description.ts';
import { carryOut } from './model/batch.ts';
import { commit, takeDeposit, withdraw } from './model/custody.ts';
import { carryOutDeadlines } from './model/deadlines.ts';
import {
  describeDecision,
  describeModel,
  describeModelEvents,
  describeParked,
  describeParkedAnswer,
  describePayout,
  describeProposal,
  describeSession,
  plain,
  plainTrades,
} from './model/describe.ts';
import { confirm, type ModelSettleOutcome, propose, settleByHand } from './model/hand-settlement.ts';
import { keepSpot } from './model/jumps.ts';
import { takePrints } from './model/listings.ts';
import { maintain } from './model/maintenance.ts';
import { hasShortExposure, placeOrder } from './model/orders.ts';
import { attest, park } from './model/parked.ts';
import { pull, pushQuotes, registerQuoteSession } from './model/quoting/quotes.ts';
import { pushToSet } from './model/quoting/set-push.ts';
import { cancelOrders, endEntry, endMaintenance } from './model/quoting/set-reserves.ts';
import { forgetRows, raiseFloor } from './model/quoting/sets.ts';
import type { ModelAccount, ModelOrder, ModelPayout } from './model/records.ts';
import { overstep, type RepairCommand, release, repair } from './model/repairs.ts';
import { pullOrders } from './model/resting.ts';
import { approve, pruneSessions, revoke, spend } from './model/sessions.ts';
import {
  accountAt,
  createModelState,
  instrumentOf,
  type ModelState,
  openAccount,
  rememberedChallenges,
} from './model/state.ts';

type AccountWrite =
  | OrderCommand
  | BatchCommand
  | CancelCommand
  | CancelOrderCommand
  | MarginCommand
  | WithdrawCommand;

/** The entries in which every set updates its reserve (QTS-4). */
const MAINTENANCE: readonly CommandKind[] = ['maintain', 'settle', 'settle-confirm'];

export class Model {
  readonly state: ModelState = createModelState();
  #firstFillId = 1;

  /** Applies an entry and returns its outcome, in the form that `plainOutcome` gives the engine's outcomes. */
  apply(entry: Entry): PlainOutcome {
    const outcome = this.#carryOut(entry);
    if (!('refusal' in outcome) && MAINTENANCE.includes(entry.command.kind)) endMaintenance(this.state);
    else endEntry(this.state);
    forgetRows(this.state);
    return outcome;
  }

  #carryOut(entry: Entry): PlainOutcome {
    const { state } = this;
    state.seq = entry.seq;
    state.ts = entry.ts;
    state.tape = [];
    state.notes = [];
    state.orderEvents = [];
    this.#firstFillId = state.lastFillId + 1;
    pruneSessions(state);
    carryOutDeadlines(state);
    forgetRows(state);
    const { command } = entry;
    switch (command.kind) {
      case 'configure': {
        const outcome = configure(state, command);
        // The first id in the log stands, no matter which node drew it (VEN-1).
        state.venue ??= command.venue ?? null;
        return outcome;
      }
      case 'open':
        return open(state, command.address);
      case 'sign-in':
        return signIn(state, command);
      case 'approve': {
        const outcome = approve(state, command);
        if ('refusal' in outcome) return outcome;
        return { account: outcome.account.index, session: describeSession(state, outcome.session) };
      }
      case 'revoke':
        return revoke(state, command);
      case 'park': {
        const outcome = park(state, command);
        return 'refusal' in outcome ? outcome : { parked: describeParked(outcome.parked) };
      }
      case 'attest': {
        const outcome = attest(state, command);
        return 'refusal' in outcome ? outcome : { answer: describeParkedAnswer(outcome.answered) };
      }
      case 'prints': {
        const outcome = takePrints(state, command);
        return { ...outcome, rowErrors: plainRowErrors(outcome.rowErrors) };
      }
      case 'quotes': {
        const outcome = pushQuotes(state, command);
        if ('refusal' in outcome) return outcome;
        return { ...outcome, rowErrors: plainRowErrors(outcome.rowErrors) };
      }
      case 'quote-session':
        return registerQuoteSession(state, command);
      case 'pull':
        return pull(state, command);
      case 'maintain':
        return { ...maintain(state, command) };
      case 'due':
        return {};
      case 'settle':
        return settlement(settleByHand(state, command));
      case 'settle-propose':
        return proposal(state, command);
      case 'settle-confirm':
        return settlement(confirm(state, command));
      case 'bind':
      case 'epoch':
      case 'adopt':
      case 'void':
      case 'freeze-withdrawals':
      case 'hold-deposit':
      case 'reverse-deposit':
      case 'halt-payouts':
      case 'payout-wait':
      case 'approve-payout':
        return repaired(state, command);
      case 'overstep':
        return overstep(state, command);
      case 'rekey':
        state.venue = command.venue;
        return { venue: command.venue };
      case 'deposit':
        return takeDeposit(state, command);
      case 'release':
        return released(state, command);
      case 'commit':
        return committed(state, command);
      case 'quote-set':
        return pushed(state, command);
      default:
        return write(state, command);
    }
  }

  describe(): Description {
    return describeModel(this.state);
  }

  /** Situations of the last entry that neither its outcome nor the description shows. */
  get notes(): readonly string[] {
    return this.state.notes;
  }

  /** The tape prints and fills of the last entry. */
  describeEvents(): PlainEvents {
    return describeModelEvents(this.state, this.#firstFillId);
  }
}

/** Symbols can be added and deactivated, never removed; funding mode and margin premium stay (FINE-4). */
function configure(state: ModelState, command: ConfigureCommand): PlainOutcome {
  const { parameters } = command;
  if (!('symbols' in parameters)) return raiseLevel(state, parameters.version);
  if (state.parameters !== null && parameters.version < state.parameters.version)
    return { changed: false, conflict: 'version' };
  for (const fixed of ['fundingMode', 'marginPremium'] as const) {
    const inForce = state.parameters?.[fixed] ?? parameters[fixed];
    if (inForce !== parameters[fixed]) return { changed: false, conflict: fixed };
  }
  state.parameters = parameters;
  for (const instrument of state.instruments) {
    instrument.active = parameters.symbols.some(({ symbol }) => symbol === instrument.symbol);
  }
  for (const { symbol, assetClass } of parameters.symbols) {
    if (instrumentOf(state, symbol) !== undefined) continue;
    state.instruments.push({
      symbol,
      assetClass,
      active: true,
      spot: 0n,
      moves: [],
      judged: [],
      sources: [],
      rolledFor: null,
    });
  }
  for (const instrument of state.instruments) keepSpot(state, instrument);
  return { changed: true };
}

function raiseLevel(state: ModelState, version: number): PlainOutcome {
  if (state.parameters === null || version <= state.parameters.version) return { changed: false };
  state.parameters = { ...state.parameters, version };
  return { changed: true };
}

/** A spent challenge also spends every challenge of the address that was checked before it (AUTH-1). */
function signIn(state: ModelState, { address, after, signed }: SignInCommand): PlainOutcome {
  const spent = rememberedChallenges(state, address).map(({ seq }) => seq);
  if (spent.some((seq) => seq > after)) return { refusal: 'noChallenge' };
  state.challenges.push({ address, seq: state.seq, ts: state.ts });
  return signed ? open(state, address) : { account: null, opened: false };
}

function settlement(outcome: ModelSettleOutcome): PlainOutcome {
  if ('refusal' in outcome) return outcome;
  return { decision: describeDecision(outcome.decision), settled: outcome.settled.map(({ sid }) => sid) };
}

function proposal(state: ModelState, command: SettleProposeCommand): PlainOutcome {
  const outcome = propose(state, command);
  if ('refusal' in outcome) return outcome;
  const { boundBps } = outcome;
  return {
    proposal: describeProposal(outcome.proposal),
    decision: describeDecision(outcome.decision),
    settles: outcome.settles.map(({ sid }) => sid),
    deviationMicroBps: plain(outcome.deviation),
    boundBps,
  };
}

function released(state: ModelState, command: ReleaseCommand): PlainOutcome {
  const outcome = release(state, command);
  if ('refusal' in outcome) return outcome;
  return { account: outcome.account.index, releasedMicros: plain(outcome.released) };
}

function committed(state: ModelState, command: CommitCommand): PlainOutcome {
  const outcome = commit(state, command);
  return 'refusal' in outcome ? outcome : { payouts: outcome.payouts.map(describePayout) };
}

function repaired(state: ModelState, command: RepairCommand): PlainOutcome {
  const outcome = repair(state, command);
  return 'payout' in outcome ? { payout: describePayout(outcome.payout as ModelPayout) } : { ...outcome };
}

function open(state: ModelState, address: Address): PlainOutcome {
  const known = accountAt(state, address);
  const account = known ?? openAccount(state, 'trader', address);
  return { account: account.index, opened: known === undefined };
}

function write(state: ModelState, command: AccountWrite): PlainOutcome {
  const account = accountAt(state, command.account);
  const refusal = refusalOf(state, account, command.authorization);
  if (refusal !== undefined) return { refusal };
  if (command.kind === 'withdraw') return withdrawal(state, account!, command);
  const outcome = writeOf(state, account!, command);
  return 'refusal' in outcome ? outcome : { account: account!.index, ...outcome };
}

function refusalOf(
  state: ModelState,
  account: ModelAccount | undefined,
  authorization: Authorization | undefined,
): ErrorName | undefined {
  if (authorization !== undefined) return spend(state, account, authorization);
  return account === undefined ? 'unknownToken' : undefined;
}

function pushed(state: ModelState, command: QuoteSetCommand): PlainOutcome {
  const account = accountAt(state, command.account);
  const refusal = refusalOf(state, account, command.authorization);
  if (refusal !== undefined) return { refusal };
  const outcome = pushToSet(state, account!, command);
  if (!('rowErrors' in outcome)) return outcome;
  return { ...outcome, rowErrors: plainRowErrors(outcome.rowErrors, true) };
}

function withdrawal(state: ModelState, account: ModelAccount, command: WithdrawCommand): PlainOutcome {
  const outcome = withdraw(state, account, command);
  if ('refusal' in outcome) return outcome;
  if ('payout' in outcome) return { payout: describePayout(outcome.payout) };
  if ('least' in outcome) return { leastMicros: plain(outcome.least) };
  return { needMicros: plain(outcome.need), haveMicros: plain(outcome.have) };
}

function writeOf(
  state: ModelState,
  account: ModelAccount,
  command: Exclude<AccountWrite, WithdrawCommand>,
): PlainOutcome {
  switch (command.kind) {
    case 'order': {
      const outcome = placeOrder(state, account, command);
      if (outcome.status === 'rejected') return { ...outcome };
      return { ...outcome, trades: plainTrades(outcome.trades), rested: plain(outcome.rested) };
    }
    case 'batch':
      return { results: carryOut(state, account, command) };
    case 'cancel':
      return { pulled: cancel(state, account, command) };
    case 'cancel-order':
      return { orderId: command.orderId, ok: cancelOne(state, account, command.orderId) };
    case 'margin':
      return switchMargin(state, account, command.enabled);
  }
}

function cancel(state: ModelState, account: ModelAccount, { symbols, authorization }: CancelCommand): number {
  for (const { symbol } of state.instruments)
    if (symbols === null || symbols.includes(symbol))
      raiseFloor(state, account, symbol, authorization?.nonce);
  const inScope = (sid: number) => symbols === null || symbols.includes(state.series[sid]!.symbol);
  return cancelOrders(state, 'user', ({ owner, sid }) => owner === account.index && inScope(sid));
}

/** Another account's order looks like one that does not exist (ORD-12). */
function cancelOne(state: ModelState, account: ModelAccount, orderId: number): boolean {
  return pullOrders(state, 'user', isMeant) > 0;

  function isMeant({ id, owner, set }: ModelOrder): boolean {
    return id === orderId && owner === account.index && set === null;
  }
}

function switchMargin(state: ModelState, account: ModelAccount, enabled: boolean): PlainOutcome {
  if (!enabled && hasShortExposure(state, account)) return { refusal: 'marginShortExposure' };
  account.marginEnabled = enabled;
  return { marginEnabled: enabled };
}
