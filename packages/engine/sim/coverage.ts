/** Counts the cases a simulation went through, so that a test notices when it no longer reaches one. */

import type { CommandKind } from '../src/entry/command.ts';
import { EXPECTED_OF_BATCHES } from './batch-coverage.ts';
import { EXPECTED_OF_COMBOS } from './combo-coverage.ts';
import type { Description, PlainAmount, PlainOutcome } from './description.ts';
import { EXPECTED_OF_SETS } from './set-coverage.ts';

/** The case of an outcome: `order filled`, `order rejected no liquidity`, `approve badExpiry`, … */
export function caseOf(kind: CommandKind, outcome: PlainOutcome): string {
  const { refusal, reason, status } = outcome;
  if (typeof refusal === 'string') return `${kind} ${refusal}`;
  if ('haveMicros' in outcome) return `${kind} past the gate`;
  if ('leastMicros' in outcome) return `${kind} too small`;
  // Numbers in a reason are left out.
  if (typeof reason === 'string') return `${kind} rejected: ${reason.replace(/ \(need .*/, '')}`;
  if (typeof status === 'string') return `${kind} ${status}`;
  for (const flag of ['ok', 'opened', 'done', 'changed', 'marginEnabled']) {
    if (typeof outcome[flag] === 'boolean') return `${kind} ${flag}=${outcome[flag]}`;
  }
  return kind;
}

/** Situations that matter but have no outcome of their own. */
export function situationsOf(outcome: PlainOutcome, before: Description, after: Description): string[] {
  return [...flowSituations(outcome, before, after), ...riskSituations(outcome, before, after)];
}

function flowSituations(outcome: PlainOutcome, before: Description, after: Description): string[] {
  const rows = (outcome.rowErrors ?? []) as unknown[][];
  const news = after.accounts.flatMap(({ index, fills }) => {
    const last = before.accounts[index]?.fills.at(-1)?.id ?? 0;
    return fills.filter(({ id }) => id > last).map((fill) => ({ ...fill, owner: index }));
  });
  const takers = new Map(news.filter(({ taker }) => taker).map(({ id, owner }) => [id, owner]));
  const flips = news.filter(({ owner, sid }) => signs(before, owner, sid) * signs(after, owner, sid) < 0);
  const found: Record<string, boolean> = {
    'account trades with itself': news.some(({ taker, id, owner }) => !taker && takers.get(id - 1) === owner),
    'quote trades as taker': news.some(({ taker, owner }) => taker && owner === 2),
    'order meets several': Array.isArray(outcome.trades) && outcome.trades.length > 1,
    'position flips from long to short': flips.some(({ side }) => side === 'sell'),
    'position flips from short to long': flips.some(({ side }) => side === 'buy'),
    'profit or loss realised': news.some(({ realized }) => realized !== 0),
    'quote row kept': Number(outcome.kept ?? 0) > 0,
    'quote row applied': Number(outcome.applied ?? 0) > 0,
    'unknown sid': Array.isArray(outcome.unknownSids) && outcome.unknownSids.length > 0,
    'row refused': rows.length > 0,
    'row past the house line': rows.some(([, error]) => error !== undefined),
    'series listed': Number(outcome.listed ?? 0) > 0,
  };
  return Object.keys(found).filter((situation) => found[situation]);
}

function riskSituations(outcome: PlainOutcome, before: Description, after: Description): string[] {
  const risks = after.accounts.flatMap(({ risk }) => (risk === null ? [] : [risk]));
  const sells = after.accounts.flatMap(({ positions }) => positions.filter(({ qty }) => Number(qty) > 0));
  const isMarked = ({ sid }: { sid: number }) => {
    return after.series[sid]?.status === 'pending-review' && after.series[sid].mark !== 0;
  };
  const isPendingShort = (held: { sid: number; qty: PlainAmount }) => isMarked(held) && Number(held.qty) < 0;
  const pending = after.accounts.flatMap(({ positions }) => positions.filter(isMarked));
  const orderer = typeof outcome.status === 'string' ? before.accounts[Number(outcome.account)] : undefined;
  const found: Record<string, boolean> = {
    'margin call': risks.some(({ marginCall }) => marginCall),
    'buying power below zero': risks.some(({ buyingPower }) => Number(buyingPower) < 0),
    'order accepted in a margin call': outcome.status !== 'rejected' && orderer?.risk?.marginCall === true,
    'position under review has a mark': pending.some(({ qty }) => qty !== 0),
    'short under review calls for margin': after.accounts.some(
      ({ positions, risk }) => risk?.marginCall && positions.some((held) => isPendingShort(held)),
    ),
    'sell rests behind a long': sells.some(({ restingSell }) => Number(restingSell) > 0),
    'more rests than the long': sells.some(({ qty, restingSell }) => Number(restingSell) > Number(qty)),
  };
  return Object.keys(found).filter((situation) => found[situation]);
}

function signs(description: Description, account: number, sid: number): number {
  const position = description.accounts[account]?.positions.find((held) => held.sid === sid);
  return Math.sign(Number(position?.qty ?? 0));
}

/** Every case and situation that a few hundred seeds must reach. */
export const EXPECTED: readonly string[] = [
  'configure changed=true',
  'configure changed=false',
  'open opened=true',
  'open opened=false',
  'sign-in opened=true',
  'sign-in opened=false',
  'sign-in noChallenge',
  'approve',
  'approve badExpiry',
  'approve tooManySessions',
  'approve unknownSessionKey',
  'revoke',
  'revoke notYourSessionKey',
  'revoke unknownSessionKey',
  'order filled',
  'order partial',
  'order rested',
  'order cancelled',
  'order rejected: unknown series',
  'order rejected: series settled',
  'order rejected: series expired',
  'order rejected: bad qty',
  'order rejected: bad price',
  'order rejected: insufficient cash',
  'order rejected: margin call — reduce-only (buy back shorts)',
  'order rejected: account equity depleted',
  'order rejected: no liquidity',
  'order rejected: margin is off — enable margin to sell short',
  'order rejected: insufficient margin for short',
  'order rejected: insufficient buying power',
  ...['order', 'cancel', 'cancel-order', 'margin'].flatMap((kind) => [
    `${kind} unknownSessionKey`,
    `${kind} sessionExpired`,
    `${kind} nonceOutsideWindow`,
    `${kind} nonceUsed`,
    `${kind} tooManyInFlight`,
  ]),
  'cancel',
  'cancel-order ok=true',
  'cancel-order ok=false',
  'margin marginEnabled=true',
  'margin marginEnabled=false',
  'margin marginShortExposure',
  'prints',
  'quotes',
  'quotes noQuoteSession',
  'quote-session',
  'pull',
  'pull noQuoteSession',
  'maintain done=true',
  'maintain done=false',
  'settle',
  'settle wrongCredential',
  'settle settlesNoSeries',
  'settle seriesSettled',
  'settle notPendingReview',
  'settle badPrice',
  'settle priceOutOfBound',
  'settle priceDiffers',
  'settle payoutTooLarge',
  ...['settle-propose', 'settle-confirm'].flatMap((kind) => [
    kind,
    `${kind} wrongCredential`,
    `${kind} bothSecrets`,
  ]),
  'settle-propose priceOutOfBound',
  'settle-propose seriesSettled',
  'settle-propose badPrice',
  'settle-propose priceDiffers',
  'settle-confirm unknownProposal',
  'settle-confirm ownProposal',
  'settle-confirm proposalDiffers',
  'proposal beside one of the same person',
  'confirmed by a second name',
  'a name and a secret, which may be of one person',
  ...['settle-propose', 'settle-confirm'].map((kind) => `${kind} wrongRole`),
  'settled by the oracle',
  'refused: too few fresh sources',
  'refused: dispersion too wide',
  'refused: payout too large',
  'dispersion at the very bound',
  'not payable beside what is decided',
  'settled by hand, by series',
  'settled by hand, by expiry',
  'the rest of an expiry settled by hand',
  'price at the very bound',
  'price a micro past the bound',
  'orders pulled at the end of a series',
  'payout rounded up',
  'settled below zero',
  'position put under review',
  'position under review has a mark',
  'short under review calls for margin',
  'average over several prints',
  'print at the start of a window',
  'print at the cutoff',
  'print right after the cutoff',
  'print before its expiry was known',
  'source as old as it may be',
  'source a millisecond too old',
  'source silent in a window',
  'forgotten source heard',
  'account trades with itself',
  'quote trades as taker',
  'order meets several',
  'position flips from long to short',
  'position flips from short to long',
  'profit or loss realised',
  'margin call',
  'buying power below zero',
  'order as previewed',
  'order accepted in a margin call',
  'sell rests behind a long',
  'more rests than the long',
  'liquidated from the book',
  'liquidated to the house',
  'liquidated by both',
  'liquidated below zero',
  'liquidated without a short',
  'stale short not liquidated',
  'fresh short liquidated beside a stale one',
  'expired short not liquidated',
  'mark of the model',
  'mark of the book',
  'mark at the band',
  'mark without a volatility',
  ...[1, 2, 3, 4].map((tick) => `liquidated at tick ${tick}`),
  'short without a spot or a model not liquidated',
  'jump of a spot',
  'spot back in a jump',
  'spot far again in a jump',
  'jump longer than its stop',
  'jump over',
  'called account spared in a jump',
  'ask past the limit of debts',
  'ask past the cash',
  'quote row kept',
  'quote row applied',
  'unknown sid',
  'row refused',
  'row past the house line',
  'series listed',
  'order rejected: account frozen — no linked wallet address',
  'deposit credited',
  'deposit duplicate',
  'deposit held',
  'deposit depositConflict',
  'deposit depositTooLarge',
  'deposit with another address',
  'deposit with another amountMicros',
  'deposit with another blockNumber',
  'deposit with another blockHash',
  'deposit of a transaction from another block',
  'deposit beside another of its transaction',
  'deposit held beside another',
  'deposit up to all that the ledger can hold',
  'release',
  'release nothingHeld',
  'withdraw',
  'withdraw past the gate',
  'withdraw amountNotPositive',
  'withdraw accountFrozen',
  'withdraw tooManyWithdrawals',
  'withdraw unknownSessionKey',
  'withdraw sessionExpired',
  'withdraw nonceOutsideWindow',
  'withdraw nonceUsed',
  'withdraw tooManyInFlight',
  'withdrawal of all that the gate lets through',
  'withdrawal a micro past the gate',
  'withdrawal stopped by what is locked',
  'withdrawal stopped by what is pending',
  'withdrawal beside what is locked',
  'withdrawal of a profit',
  'commit',
  'commit unknownWithdrawal',
  'commit committedElsewhere',
  'commit refused as a whole',
  'commit repeated',
  'commit for several accounts',
  'payout named twice in a commit',
  'bind',
  'bind wrongCredential',
  'bind pastDiffers',
  'bind funderTrades',
  'bind asked by one',
  'bound by two people',
  'bound by two names',
  'bound first',
  'bound again',
  'bound to another vault',
  'deposit otherVault',
  'deposit of no vault',
  'deposit of another vault',
  'deposit of the funder',
  'epoch',
  'epoch notNextEpoch',
  'adopt',
  'adopt payoutKnown',
  'adopt accountFrozen',
  'adopt payoutOfThisEpoch',
  'adopt depositsMissing',
  'adopted into debt',
  'void',
  'void unknownWithdrawal',
  'void payoutNotRequested',
  'payout of the house voided',
  'freeze-withdrawals',
  'freeze-withdrawals unknownAccount',
  'hold-deposit',
  'hold-deposit unknownDeposit',
  'hold-deposit heldAlready',
  'hold-deposit depositOfHouse',
  'deposit of a stranger held in doubt',
  'release of a deposit held in doubt',
  'reverse-deposit',
  'reverse-deposit unknownDeposit',
  'reverse-deposit depositNotHeld',
  'park',
  'park badExpiry',
  'park signsItself',
  'park unknownSessionKey',
  'park notYourSessionKey',
  'park tooManyParked',
  'parked approval posted again',
  'attest',
  'attest unknownParked',
  'attest otherChain',
  ...['approve', 'revoke', 'noContract', 'notSignedByContract', 'contractFailed'].map(
    (what) => `attested: ${what}`,
  ),
  'halt-payouts',
  'payout-wait',
  'payout-wait unknownWithdrawal',
  'payout-wait payoutNotRequested',
  'overstep wrongRole',
  'approve-payout',
  'approve-payout unknownWithdrawal',
  'approve-payout payoutNotRequested',
  'withdraw withdrawalsFrozen',
  'withdrawal of the funder',
  'withdraw too small',
  'hold-deposit past the gate',
  'withdrawal of a small rest',
  'commit payoutVoided',
  ...['deposit', 'release', 'withdraw', 'commit'].map((kind) => `${kind} notFound`),
  ...EXPECTED_OF_BATCHES,
  ...EXPECTED_OF_SETS,
  ...EXPECTED_OF_COMBOS,
];
