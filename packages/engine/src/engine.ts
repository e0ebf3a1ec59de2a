/** The exchange as a function of state and entry: one switch over the kinds of command. */

import type { Address, ErrorName } from '@venue/protocol';
import { signIn } from './accounts/challenges.ts';
import { setMargin } from './accounts/margin-switch.ts';
import { checkOpening, openAccount } from './accounts/opening.ts';
import { attest, park } from './accounts/parked.ts';
import { approve, checkApproval, revoke, spend } from './accounts/sessions.ts';
import { configure, rekey } from './configure.ts';
import { noteOverstep } from './custody/audit.ts';
import { bind, raiseEpoch } from './custody/binding.ts';
import { holdDeposit, releaseHeld, reverseDeposit, takeDeposit } from './custody/deposits.ts';
import { commitPayouts, withdraw } from './custody/payouts.ts';
import { adoptPayout, freezeWithdrawals, voidPayout } from './custody/repairs.ts';
import { approvePayout, haltPayouts, notePayoutWait } from './custody/reports.ts';
import type {
  ApproveCommand,
  Authorization,
  Command,
  DueCommand,
  Entry,
  OpenCommand,
} from './entry/command.ts';
import type {
  HaltPayoutsCommand,
  OperatorCommand,
  PayoutWaitCommand,
  ReleaseCommand,
} from './entry/custody-command.ts';
import type { Effects } from './entry/effects.ts';
import { assertWritable } from './entry/feature-level.ts';
import { isRefused, type OutcomeOf, type Refused } from './entry/outcome.ts';
import { settleByHand } from './expiry/hand-settlement.ts';
import { confirmSettlement, proposeSettlement } from './expiry/settle-proposals.ts';
import { takePrints } from './expiry/spots.ts';
import { maintain } from './maintenance.ts';
import { applyQuotes, pullQuoteSession, registerQuoteSession } from './quoting/quotes.ts';
import { pushToSet } from './quoting/set-push.ts';
import type { Account } from './state/account.ts';
import type { State } from './state/state.ts';
import { carryOutBatch } from './trading/batch.ts';
import { cancelAll, cancelOrder } from './trading/cancels.ts';
import { carryOutDue } from './trading/due.ts';
import { placePlainOrder } from './trading/orders.ts';
import { endEntry, endMaintenance } from './trading/set-reserves.ts';

/**
 * Applies the next entry of the log. The result depends on the state and the entry only, which is why nodes and replays
 * agree to the bit. Throws only on a broken invariant or on an entry out of order; the node must then stop.
 */
export function apply<C extends Command>(
  state: State,
  entry: Entry<C>,
  effects: Effects,
): OutcomeOf<C['kind']>;
export function apply(state: State, entry: Entry, effects: Effects): OutcomeOf<Command['kind']> {
  if (entry.seq !== state.seq + 1) throw new Error(`entry ${entry.seq} does not follow ${state.seq}`);
  if (entry.ts < state.ts) throw new Error(`entry ${entry.seq} goes back in time`);
  assertWritable(state, entry.command);
  state.seq = entry.seq;
  state.ts = entry.ts;
  carryOutDue(state, effects);
  const outcome = entry.command.kind === 'due' ? NOTHING_ELSE : dispatch(state, entry.command, effects);
  if (MOVES_ALL.has(entry.command.kind) && !isRefused(outcome)) endMaintenance(state, effects);
  else endEntry(state, effects);
  return outcome;
}

/** Kinds of entries after which every quote set's reserve is computed again, unless they are refused (QTS-4). */
const MOVES_ALL: ReadonlySet<Command['kind']> = new Set(['maintain', 'settle', 'settle-confirm']);

/** The outcome of an entry whose deadlines were carried out before it (DUE-1). */
const NOTHING_ELSE: OutcomeOf<'due'> = {};

/** Requests of an account, with a session key's signature or a token. */
type AccountWrite = Extract<
  Command,
  { readonly kind: 'order' | 'batch' | 'cancel' | 'cancel-order' | 'margin' | 'withdraw' | 'quote-set' }
>;

/** Repairs of the books by operators and their daemons, and their attempts beyond their roles. */
type RepairCommand = Exclude<OperatorCommand, ReleaseCommand> | HaltPayoutsCommand | PayoutWaitCommand;

function dispatch(
  state: State,
  command: Exclude<Command, DueCommand>,
  effects: Effects,
): OutcomeOf<Command['kind']> {
  switch (command.kind) {
    case 'configure':
      return configure(state, command);
    case 'rekey':
      return rekey(state, command);
    case 'open':
      return open(state, effects, command);
    case 'sign-in':
      return signIn(state, effects, command);
    case 'approve':
      return openAndApprove(state, effects, command);
    case 'revoke':
      return revoke(state, command);
    case 'park':
      return park(state, command);
    case 'attest':
      return attest(state, effects, command);
    case 'order':
    case 'batch':
    case 'cancel':
    case 'cancel-order':
    case 'margin':
    case 'withdraw':
    case 'quote-set':
      return authorized(state, command, (account) => write(state, effects, account, command));
    case 'prints':
      return takePrints(state, effects, command);
    case 'quote-session':
      return registerQuoteSession(state, effects, command);
    case 'quotes':
      return applyQuotes(state, effects, command);
    case 'pull':
      return pullQuoteSession(state, effects, command);
    case 'maintain':
      return maintain(state, effects, command);
    case 'settle':
      return settleByHand(state, effects, command);
    case 'settle-propose':
      return proposeSettlement(state, command);
    case 'settle-confirm':
      return confirmSettlement(state, effects, command);
    case 'deposit':
      return takeDeposit(state, effects, command);
    case 'release':
      return releaseHeld(state, effects, command);
    case 'commit':
      return commitPayouts(state, command);
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
    case 'overstep':
      return repair(state, effects, command);
    default:
      return unknownKind(command);
  }
}

function repair(state: State, effects: Effects, command: RepairCommand): OutcomeOf<RepairCommand['kind']> {
  switch (command.kind) {
    case 'bind':
      return bind(state, effects, command);
    case 'epoch':
      return raiseEpoch(state, command);
    case 'adopt':
      return adoptPayout(state, effects, command);
    case 'void':
      return voidPayout(state, effects, command);
    case 'freeze-withdrawals':
      return freezeWithdrawals(state, command);
    case 'hold-deposit':
      return holdDeposit(state, effects, command);
    case 'reverse-deposit':
      return reverseDeposit(state, effects, command);
    case 'halt-payouts':
      return haltPayouts(state, command);
    case 'payout-wait':
      return notePayoutWait(state, command);
    case 'approve-payout':
      return approvePayout(state, command);
    case 'overstep':
      return noteOverstep(state, command);
    default:
      return unknownKind(command);
  }
}

function write(
  state: State,
  effects: Effects,
  account: Account,
  command: AccountWrite,
): OutcomeOf<AccountWrite['kind']> {
  switch (command.kind) {
    case 'order':
      return placePlainOrder(state, effects, account, command);
    case 'batch':
      return carryOutBatch(state, effects, account, command);
    case 'cancel':
      return cancelAll(state, effects, account, command);
    case 'cancel-order':
      return cancelOrder(state, effects, account, command);
    case 'margin':
      return setMargin(state, account, command);
    case 'withdraw':
      return withdraw(state, effects, account, command);
    case 'quote-set':
      return pushToSet(state, effects, account, command);
  }
}

/** A node that does not know a command must stop rather than skip it. */
function unknownKind(command: never): never {
  throw new Error(`unknown kind of command: ${JSON.stringify(command)}`);
}

/** Runs an account's write once its signature's session and nonce are spent (SIG-4). */
function authorized<T extends object>(
  state: State,
  command: { readonly account: Address; readonly authorization?: Authorization },
  write: (account: Account) => T,
): T | Refused {
  const account = state.accountByAddress.get(command.account);
  if (account === undefined) return { refusal: command.authorization ? 'unknownSessionKey' : 'unknownToken' };
  const refusal: ErrorName | null =
    command.authorization === undefined ? null : spend(state, account, command.authorization);
  return refusal === null ? write(account) : { refusal };
}

function open(state: State, effects: Effects, { address }: OpenCommand): OutcomeOf<'open'> {
  const refusal = checkOpening(state, address);
  return refusal === null ? openAccount(state, effects, address) : { refusal };
}

/** An approval by a new wallet does what a first sign-in does: it opens and funds the account. */
function openAndApprove(state: State, effects: Effects, command: ApproveCommand): OutcomeOf<'approve'> {
  const approval = { sessionKey: command.sessionKey, expiresAt: command.expiresAt, ts: state.ts };
  const refusal =
    checkApproval(state.accountByAddress.get(command.address), approval) ??
    checkOpening(state, command.address);
  if (refusal !== null) return { refusal };
  const { account } = openAccount(state, effects, command.address);
  return { account, session: approve(state, account, command) };
}
