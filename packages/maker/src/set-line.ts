/** Quotes of an account in quote sets, one for each symbol, each under a protection (QTS-1 to QTS-5). */

import {
  type CompactQuote,
  type FillRecord,
  QUOTE_SETS_MAX,
  SET_LEVELS_MAX,
  type SetPushAnswer,
} from '@venue/protocol';
import {
  RefusedError,
  type Session,
  SetFrozenError,
  StalePushError,
  UnauthorizedError,
  UnknownSetError,
  VenueClient,
  type Wallet,
} from '@venue/sdk';
import { AccountChannels } from './account-channels.ts';
import type { Holdings } from './inventory.ts';
import { LARGEST_LEVEL } from './ladder.ts';
import { PULL_TIMEOUT_MS, slicesOf } from './maker-line.ts';
import { type Allowance, type Attempt, Obstacles } from './obstacles.ts';
import type { Parameters } from './parameters.ts';
import type { Listening, News, Pushed, QuoteLine } from './quote-line.ts';
import type { Change } from './quoter.ts';

export interface SetLineOptions {
  readonly url: string;
  readonly wallet: Wallet;
  readonly parameters: Parameters;
  /** For this long an order may be in the way of a quote before it is taken. */
  readonly paceMs: number;
  readonly log: (line: string) => void;
}

const REQUEST_TIMEOUT_MS = 4_000;
/** Within the time after which the venue pulls a silent set (QTS-5); each sign of life is a signature in the log. */
const HEARTBEAT_MS = 20_000;
/** Sets are compared with what should stand this often. */
const CHECK_EVERY_MS = 3_000;
/** A session key is replaced this long before it ends. */
const RENEW_BEFORE_MS = 3_600_000;
const SESSION_MS = 7 * 24 * 3_600_000;
/** A set that buying power does not cover is tried again after this long. */
const DECLINED_MS = 5_000;
/** Quotes of equal size on both sides and mostly of a delta under a half: more than this is bad luck or an attack. */
const DELTA_SHARE = 0.6;
const FILLS_PAGE = 500;
/** Fills take levels away, and so do the quotes of others that they would meet; fewer than this are no accident. */
const STANDING_SHARE = 0.7;

interface OwnSet {
  readonly set: number;
  isProtected: boolean;
  pushedAtMs: number;
  /** Frozen or declined: no pushes before this. */
  pausedUntilMs: number;
  /** Levels that should stand, by sid. */
  readonly levels: Map<number, number>;
  readonly obstacles: Obstacles;
}

export class SetLine implements QuoteLine {
  readonly #options: SetLineOptions;
  readonly #client: VenueClient;
  /** By symbol. */
  readonly #sets = new Map<string, OwnSet>();
  #session: Session | null = null;
  /** Null until it listens. */
  #channels: AccountChannels | null = null;
  #takerFeeBps = 0;
  #checkedAtMs = 0;

  constructor(options: SetLineOptions) {
    this.#options = options;
    this.#client = new VenueClient({ url: options.url, timeoutMs: REQUEST_TIMEOUT_MS });
  }

  /** All sets of the account share its levels (QTS-2). */
  levelsMaxOf(_symbol: string, { length }: readonly string[]): number {
    return Math.floor(SET_LEVELS_MAX / Math.max(1, length));
  }

  /** Approves a session key if none lasts, and finds the account's sets of an earlier start. */
  async open(): Promise<void> {
    const { auth, orders } = this.#client;
    if (!(await this.#hasSession()))
      this.#session = await auth.approveSession(this.#options.wallet, { lifetimeMs: SESSION_MS });
    await orders.setMargin(true);
    this.#takerFeeBps = (await this.#client.market.venue()).takerFeeBps;
    this.#sets.clear();
    for (const { set, symbol } of await this.#client.quotes.sets()) this.#sets.set(symbol, this.#newSet(set));
    // Quotes of an earlier start would be another price of the same maker.
    if (this.#sets.size > 0) await orders.cancelAll({}, { retryMs: 0 });
    this.#checkedAtMs = Date.now();
  }

  /** Also gets a new token, which the venue has forgotten if it was started again. */
  async #hasSession(): Promise<boolean> {
    if (this.#session === null || this.#session.expiresAtMs - Date.now() < RENEW_BEFORE_MS) return false;
    try {
      await this.#client.auth.renew();
      return true;
    } catch (error) {
      if (error instanceof UnauthorizedError) return false;
      throw error;
    }
  }

  async listen(news: News, after: number): Promise<Listening> {
    this.#channels = await AccountChannels.open({ client: this.#client, news, after });
    return this.#channels;
  }

  /** A set quotes one symbol. Those that are paused wait. */
  pushesOf(changes: readonly Change[]): readonly (readonly Change[])[] {
    const nowMs = Date.now();
    const bySymbol = Map.groupBy(changes, ({ series }) => series.symbol);
    return [...bySymbol].flatMap(([symbol, rows]) => {
      const set = this.#setOf(symbol);
      return set === null || nowMs < set.pausedUntilMs ? [] : slicesOf(rows);
    });
  }

  async push(changes: readonly Change[]): Promise<Pushed> {
    const { symbol } = changes[0]!.series;
    const own = this.#setOf(symbol)!;
    try {
      if (!own.isProtected) await this.#protect(symbol, own, changes);
      const rows = changes.map(({ row }) => row);
      const answer = await this.#client.quotes.push(own.set, rows, { form: 'binary' });
      own.pushedAtMs = Date.now();
      const pushed = takenOf(changes, answer);
      noteLevels(own, pushed);
      if (pushed.refused > 0) await this.#pullRefused(own, changes, pushed.accepted);
      return await this.#clearWay(own, pushed);
    } catch (error) {
      if (error instanceof UnauthorizedError) this.#session = null;
      if (!(error instanceof RefusedError)) throw error;
      return this.#refused(symbol, own, { changes, error });
    }
  }

  /** A set that is pushed to is alive; a quiet one gets an empty push before the venue pulls it (QTS-5). */
  async keepAlive(nowMs: number): Promise<readonly string[]> {
    for (const own of this.#sets.values()) {
      if (own.levels.size === 0 || nowMs - own.pushedAtMs <= HEARTBEAT_MS || nowMs < own.pausedUntilMs)
        continue;
      await this.#client.quotes.push(own.set, [], { form: 'binary' }).catch(passFrozen);
      own.pushedAtMs = nowMs;
    }
    return nowMs - this.#checkedAtMs < CHECK_EVERY_MS ? [] : this.#check(nowMs);
  }

  async holdings(): Promise<readonly Holdings[]> {
    return [this.#channels!.holdings];
  }

  async fills(after: number): Promise<readonly FillRecord[]> {
    return this.#channels!.fillsAfter(after).slice(0, FILLS_PAGE);
  }

  async lastFill(): Promise<number> {
    return (await this.#client.account.fills({ limit: 1 }))[0]?.id ?? 0;
  }

  async pull(): Promise<void> {
    if (this.#session === null || this.#sets.size === 0) return;
    await this.#client.with({ timeoutMs: PULL_TIMEOUT_MS }).orders.cancelAll({}, { retryMs: 0 });
  }

  /** Nobody takes over the sets of an account. */
  giveUp(): void {}

  /** The set of a symbol, or null once there are as many as the venue takes. */
  #setOf(symbol: string): OwnSet | null {
    const known = this.#sets.get(symbol);
    if (known !== undefined) return known;
    const taken = new Set([...this.#sets.values()].map(({ set }) => set));
    for (let set = 1; set <= QUOTE_SETS_MAX; set++) {
      if (taken.has(set)) continue;
      const own = this.#newSet(set);
      this.#sets.set(symbol, own);
      return own;
    }
    return null;
  }

  #newSet(set: number): OwnSet {
    const obstacles = new Obstacles({
      patienceMs: this.#options.paceMs,
      takerFeeBps: this.#takerFeeBps,
    });
    return { set, isProtected: false, pushedAtMs: 0, pausedUntilMs: 0, levels: new Map(), obstacles };
  }

  async #protect(symbol: string, own: OwnSet, changes: readonly Change[]): Promise<void> {
    const { frozenMs } = this.#options.parameters.of(symbol).protection;
    const allowance = this.#allowanceOf(symbol, changes);
    // Only pulls: there is nothing to protect yet.
    if (allowance.qty === 0) return;
    const terms = { set: own.set, symbol, ...allowance, frozenMs };
    const { ok, reason, code } = await this.#client.quotes.protect(terms, { retryMs: 0 });
    if (!ok) throw new RefusedError(400, reason ?? 'not protected', code);
    own.isProtected = true;
  }

  #allowanceOf(symbol: string, changes: readonly Change[]): Allowance {
    const { windowMs, sizes } = this.#options.parameters.of(symbol).protection;
    const size = Math.max(...changes.map(({ sent }) => sent.quote?.size ?? 0));
    const qty = roundMicros(sizes * size);
    // No level may be above a limit: the largest has as many contracts as four sizes, each of a delta of one at most.
    const delta = roundMicros(Math.max(qty * DELTA_SHARE, LARGEST_LEVEL * size));
    return { qty, delta, windowMs };
  }

  /** Takes the orders that have long been in the way of levels (MM-5), so that these stand with the next push. */
  async #clearWay({ obstacles }: OwnSet, pushed: Answered): Promise<Pushed> {
    const { accepted, barred, unknown } = pushed;
    obstacles.clear(accepted.filter((change) => !barred.has(change)));
    const pending = obstacles.pending([...barred]);
    const again = [...pending, ...unknown];
    if (pending.length === 0) return { ...pushed, again };
    const allowance = this.#allowanceOf(pending[0]!.series.symbol, pending);
    const attempts = obstacles.due(pending, allowance);
    const filled = await this.#take(attempts);
    for (const [i, attempt] of attempts.entries()) obstacles.tried(attempt, filled[i]!, allowance);
    return { ...pushed, again, hasTraded: filled.some((qty) => qty > 0) };
  }

  /** Sends attempts in one batch. Resolves with what each traded, in contracts: nothing where the venue refuses it. */
  async #take(attempts: readonly Attempt[]): Promise<readonly number[]> {
    if (attempts.length === 0) return [];
    const orders = attempts.flatMap((attempt) => attempt.orders);
    const sent = this.#client.orders.batch(orders, { retryMs: 0, account: false });
    const { results } = await sent.catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      // The quotes of the push still stand.
      this.#options.log(`orders in the way of quotes stay: ${error.message}`);
      return { results: [] };
    });
    let next = 0;
    return attempts.map((attempt) => {
      const own = results.slice(next, next + attempt.orders.length);
      next += attempt.orders.length;
      return own.flatMap(({ fills }) => fills).reduce((sum, { qty }) => sum + qty, 0);
    });
  }

  /** Pulls the quotes in the series of refused rows: they are at old prices, and must not stay. */
  async #pullRefused(own: OwnSet, changes: readonly Change[], accepted: readonly Change[]): Promise<void> {
    const taken = new Set(accepted);
    const stale = changes.filter((change) => !taken.has(change) && own.levels.has(change.series.sid));
    const pulls = stale.map(({ series }): CompactQuote => [series.sid, [], []]);
    if (pulls.length > 0) await this.#client.quotes.push(own.set, pulls, { form: 'binary' });
    for (const { series } of stale) own.levels.delete(series.sid);
    // Nothing that could be put right by sending it again at once.
    if (accepted.length === 0) own.pausedUntilMs = Date.now() + DECLINED_MS;
  }

  /** A push that changed nothing. */
  async #refused(
    symbol: string,
    own: OwnSet,
    { changes, error }: { readonly changes: readonly Change[]; readonly error: RefusedError },
  ): Promise<Pushed> {
    const reason = error.message;
    const nothing = { accepted: [], refused: changes.length, reason, isListOld: false };
    if (error instanceof SetFrozenError) {
      own.pausedUntilMs = Date.now() + this.#options.parameters.of(symbol).protection.frozenMs;
      own.levels.clear();
      return { ...nothing, refused: 0, lostSymbol: symbol };
    }
    if (error instanceof UnknownSetError) {
      own.isProtected = false;
      return { ...nothing, refused: 0, lostSymbol: symbol };
    }
    if (error instanceof StalePushError) return nothing;
    // Buying power does not cover it. What stands is at old prices, and must not stay.
    this.#options.log(`${symbol}: pushed nothing, and pulls its quotes: ${reason}`);
    own.pausedUntilMs = Date.now() + DECLINED_MS;
    own.levels.clear();
    await this.#client.orders.cancelAll({ symbols: [symbol] }, { retryMs: 0 });
    return { ...nothing, lostSymbol: symbol };
  }

  /** Symbols whose quotes the venue has pulled: used up, silent, or short of buying power. */
  async #check(nowMs: number): Promise<readonly string[]> {
    this.#checkedAtMs = nowMs;
    const found = new Map((await this.#client.quotes.sets()).map((set) => [set.symbol, set]));
    const lost: string[] = [];
    for (const [symbol, own] of this.#sets) {
      const set = found.get(symbol);
      if (set === undefined) own.isProtected = false;
      const expected = [...own.levels.values()].reduce((sum, levels) => sum + levels, 0);
      if ((set?.quotes ?? 0) >= STANDING_SHARE * expected) continue;
      own.levels.clear();
      lost.push(symbol);
    }
    return lost;
  }
}

/** The venue's answer to a push. */
interface Answered extends Pushed {
  /** Accepted rows of which a level would have met another's order. */
  readonly barred: ReadonlySet<Change>;
  /** Rows of an answer that does not name all refusals: any of them may be among these. */
  readonly unknown: readonly Change[];
}

/** A row is barred on one side, so the other stands. */
function noteLevels({ levels }: OwnSet, { accepted, barred }: Answered): void {
  for (const change of accepted) {
    const [sid, bids, asks] = change.row;
    const sides = [bids?.length ?? 0, asks?.length ?? 0] as const;
    const count = barred.has(change) ? Math.min(...sides) : sides[0] + sides[1];
    if (count === 0) levels.delete(sid);
    else levels.set(sid, count);
  }
}

/** A row of which a level is barred still applies. */
function takenOf(changes: readonly Change[], { errors, rowErrors, unknownSids }: SetPushAnswer): Answered {
  const bad = rowErrors.filter(({ code }) => code !== 'post-only-would-trade');
  const barred = new Set(rowErrors.filter((row) => !bad.includes(row)).map(({ i }) => changes[i]!));
  const refused = new Set(bad.map(({ i }) => i));
  // Only the first errors are named. With more, any unnamed row may be refused too, and is sent again.
  const isWhole = errors === rowErrors.length;
  const good = changes.filter((_, i) => !refused.has(i));
  return {
    accepted: isWhole ? good : [],
    ...{ barred, unknown: isWhole ? [] : good, refused: refused.size },
    ...{ reason: bad[0]?.error, isListOld: unknownSids !== undefined },
  };
}

function passFrozen(error: unknown): void {
  if (!(error instanceof RefusedError)) throw error;
}

function roundMicros(contracts: number): number {
  return Math.round(contracts * 1e6) / 1e6;
}
