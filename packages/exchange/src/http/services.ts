/** The node as its routes see it. */

import type { Account, Command, OutcomeOf, State } from '@venue/engine';
import { isRefused, isWritable, type Refused } from '@venue/engine';
import type { Address, Reason } from '@venue/protocol';
import type { Verifier } from '@venue/replay';
import type { Challenges } from '../auth/challenges.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { WaitingLine } from '../auth/waiting-line.ts';
import type { Oversteps } from '../entries/oversteps.ts';
import type { Sequencer } from '../entries/sequencer.ts';
import type { DailyFiles } from '../files/daily-files.ts';
import type { History } from '../history/history.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Readiness } from '../observe/readiness.ts';
import type { AccountPages } from '../views/account-pages.ts';
import type { CurveThread } from '../views/curve-thread.ts';
import type { MarketPages } from '../views/market-pages.ts';
import type { Tape } from '../views/tape.ts';
import type { Tickers } from '../views/tickers.ts';
import { refuse } from './errors.ts';
import { type Route, Shown } from './route.ts';

export interface Services {
  readonly signingRequired: boolean;
  /** True if prints of simulated sources are taken (FEED-1). */
  readonly takesSimulatedPrices: boolean;
  /** True where charts of a paper market begin before its first price (HIS-5). */
  readonly showsSimulatedPast: boolean;
  readonly state: State;
  /** The node's best guess of the log's time: unix milliseconds, never before the last entry. */
  readonly now: () => number;
  readonly readiness: Readiness;
  /** Makes the log accept its clock as it is, and says in the journal who wanted it: while it is off, there are no entries. */
  readonly acceptClock: (by: string) => void;
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly challenges: Challenges;
  readonly tokens: Tokens;
  readonly credentials: Credentials;
  readonly oversteps: Pick<Oversteps, 'note'>;
  readonly verifier: Verifier;
  readonly wideSearches: WaitingLine;
  /** For challenges that other nodes may have issued. */
  readonly wideSignIns: WaitingLine;
  readonly curveThread: CurveThread;
  readonly tape: Tape;
  readonly metrics: Metrics;
  readonly pages: MarketPages;
  readonly tickers: Tickers;
  readonly accountPages: AccountPages;
  /** Null if no history is kept. */
  readonly history: Pick<History, 'read'> | null;
  /** Every refusal of these routes, for programs (ERR-1). */
  readonly listReasons: (routes: readonly Route[]) => Reason[];
  /** Null if no daily files are kept. */
  readonly files: Pick<DailyFiles, 'days' | 'find' | 'suspect'> | null;
}

/** The outcome of a command that the engine accepts. */
export type Accepted<C extends Command> = Exclude<OutcomeOf<C['kind']>, Refused>;

/**
 * Submits a command and resolves with what `render` makes of its outcome in the state right after it, which later
 * entries may have left by the time of the answer. An engine refusal ends the request with its message, and so does a kind of command that not every node of the venue can read
 * yet.
 */
export function submit<C extends Command, T>(
  { sequencer, state }: Pick<Services, 'sequencer' | 'state'>,
  command: C,
  render: (outcome: Accepted<C>, ts: number) => T,
): Promise<Shown<T>> {
  if (!isWritable(state, command)) refuse('notYetUpgraded');
  return sequencer.submit(command, (outcome, ts) => {
    if (isRefused(outcome)) refuse(outcome.refusal, outcome.lastNonce);
    return new Shown(state.seq, render(outcome as Accepted<C>, ts));
  });
}

/** The account of a token's wallet, which exists because a token is issued only once the account is open. */
export function accountOf({ state }: Pick<Services, 'state'>, address: Address): Account {
  return state.accountByAddress.get(address) ?? refuse('unknownToken');
}
