/**
 * The operators' data, polled every few seconds, and their actions. The token is kept in this object and nowhere else.
 */

import type {
  AuditEntry,
  ExposureReport,
  HandSettleAnswer,
  Held,
  Instrument,
  OperatorPayout,
  RefusedExpiry,
  Settlement,
} from '@venue/protocol';
import {
  type AuditVerdict,
  mayBeCarriedOut,
  type SettleTokens,
  type VenueClient,
  verifyAudit,
} from '@venue/sdk/operators';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { parseMetrics, type Samples } from './metrics.ts';
import { type Review, reviewsOf } from './review.ts';
import { type TrendPoint, trendPoint, withPoint } from './trends.ts';

export interface Money {
  readonly held: readonly Held[];
  /** Oldest first. */
  readonly payouts: readonly OperatorPayout[];
}

export interface Watched {
  readonly mode: 'paper' | 'deposits' | null;
  readonly isHealthy: boolean;
  readonly instruments: readonly Instrument[];
  readonly reviews: readonly Review[];
  /** The latest of each underlying. */
  readonly settlements: readonly Settlement[];
  /** Null in paper mode. */
  readonly money: Money | null;
  readonly metrics: Samples;
  readonly exposure: ExposureReport;
  /** Oldest first, of this visit. */
  readonly trend: readonly TrendPoint[];
  readonly audit: readonly AuditEntry[];
  readonly verdict: AuditVerdict | null;
}

export interface Console {
  /** True once the venue has accepted a token. */
  readonly isIn: boolean;
  readonly isAsking: boolean;
  /** Why the token was refused. */
  readonly refusal: string | null;
  readonly watched: Watched | null;
  /** When everything was last read without a failure, by this page's clock; null before that. */
  readonly asOfMs: number | null;
  /** Why the last poll failed, until one succeeds. */
  readonly fault: string | null;
}

/** The result of an action, as a sentence. */
export interface Outcome {
  readonly isDone: boolean;
  readonly text: string;
}

/** Those of settlement, or each an operator's own (OPS-2). */
export interface TwoSecrets extends SettleTokens {
  readonly areOwn: boolean;
}

const LOOK_MS = 3_000;
const OUT: Console = {
  isIn: false,
  isAsking: false,
  refusal: null,
  watched: null,
  asOfMs: null,
  fault: null,
};

export class AdminConsole {
  readonly state: StoreApi<Console> = createStore(() => OUT);
  readonly #client: VenueClient;
  readonly #now: () => number;
  #token = '';
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(client: VenueClient, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  /** Tries a token; if it is accepted, all later reads use it. */
  async enter(token: string): Promise<void> {
    this.state.setState({ ...OUT, isAsking: true });
    try {
      await Array.fromAsync(this.#client.operator.audit(token));
      this.#token = token;
      this.state.setState({ isIn: true, isAsking: false });
      await this.look();
    } catch (error) {
      this.state.setState({ isAsking: false, refusal: messageOf(error) });
    }
  }

  leave(): void {
    this.#token = '';
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.state.setState(OUT);
  }

  /** Reads everything now and schedules the next poll. Older data stays while the venue does not answer. */
  async look(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    try {
      const watched = await this.#read();
      if (this.state.getState().isIn) this.state.setState({ watched, asOfMs: this.#now(), fault: null });
    } catch (error) {
      this.state.setState({ fault: messageOf(error) });
    }
    if (!this.state.getState().isIn) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), LOOK_MS);
  }

  async #read(): Promise<Watched> {
    const client = this.#client;
    const before = this.state.getState().watched;
    const [{ ok, fundingMode }, { instruments, pendingReview }, metrics, exposure] = await Promise.all([
      client.market.health(),
      client.market.meta(),
      this.#readMetrics(),
      client.operator.exposure(this.#token),
    ]);
    const lists = await this.#readSettlements(instruments, pendingReview, before);
    const audit = await this.#readAudit(before?.audit ?? []);
    const isSame = before !== null && audit.length === before.audit.length;
    return {
      mode: fundingMode,
      isHealthy: ok,
      instruments,
      reviews: reviewsOf(pendingReview, lists.refused),
      settlements: lists.settlements,
      money: fundingMode === 'paper' ? null : await this.#readMoney(),
      metrics,
      exposure,
      trend: trendAfter(before?.trend ?? [], metrics, this.#now()),
      audit,
      verdict: isSame ? before.verdict : await verifyAudit(audit),
    };
  }

  async #readMetrics(): Promise<Samples> {
    const answer = await fetch(`${this.#client.url}/metrics`, {
      headers: { 'x-operator-token': this.#token },
    });
    return answer.ok ? parseMetrics(await answer.text()) : new Map();
  }

  /**
   * Reads the settlements of every underlying when the reviews change, which happens when an expiry settles or is
   * refused.
   */
  async #readSettlements(
    instruments: readonly Instrument[],
    pendingReview: readonly string[],
    before: Watched | null,
  ): Promise<{ refused: readonly RefusedExpiry[]; settlements: readonly Settlement[] }> {
    const key = pendingReview.join(' ');
    const isDue =
      before === null || key !== this.#reviewKey || this.#now() - this.#settledMs > SETTLEMENTS_MS;
    if (isDue) {
      const lists = await Promise.all(
        instruments.map(({ symbol }) => this.#client.market.settlements(symbol)),
      );
      const refused = lists.flatMap((list) => list.refused ?? []);
      const settlements = lists.flatMap((list) => list.settlements.slice(0, 1));
      this.#settlements = { refused, settlements };
      this.#reviewKey = key;
      this.#settledMs = this.#now();
    }
    return this.#settlements;
  }

  #settlements: { refused: readonly RefusedExpiry[]; settlements: readonly Settlement[] } = {
    refused: [],
    settlements: [],
  };
  #reviewKey = '';
  #settledMs = 0;

  async #readMoney(): Promise<Money> {
    const custody = this.#client.custody(this.#token);
    const [held, payouts] = await Promise.all([custody.held(), Array.fromAsync(custody.payouts())]);
    return { held, payouts };
  }

  /** Reads the attempts after the last known one. */
  async #readAudit(known: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
    const news = await Array.fromAsync(this.#client.operator.audit(this.#token, known.at(-1)?.n ?? 0));
    return news.length === 0 ? known : [...known, ...news];
  }

  /** Reads the whole audit trail again and verifies it, against a head noted elsewhere if one is given. */
  async verify(notedHead: string): Promise<AuditVerdict> {
    const audit = await Array.fromAsync(this.#client.operator.audit(this.#token));
    const verdict = await verifyAudit(audit, notedHead === '' ? null : notedHead.toLowerCase());
    this.state.setState(({ watched }) => ({ watched: watched && { ...watched, audit, verdict } }));
    return verdict;
  }

  /** Proposes a settlement with the secret of this page, for another operator to confirm on theirs (CUS-10). */
  propose({ symbol, expiryTs }: Review, price: number): Promise<Outcome> {
    return this.#act('it was proposed', 'what waits for a second person', async () => {
      const request = { symbol, expiryTs, price };
      const { id } = await this.#client.operator.propose(request, { which: 'own', token: this.#token });
      return `Proposed number ${id} at ${price}. Another operator confirms it within 15 minutes, on a page of their own.`;
    });
  }

  /** Confirms with the secret of this page what another operator proposed, if it has this price. */
  confirm({ symbol, expiryTs }: Review, price: number, id: number): Promise<Outcome> {
    return this.#act('it was settled', 'the audit below', async () => {
      const request = { id, symbol, expiryTs, price };
      const token = { which: 'own', token: this.#token } as const;
      const { settled } = await this.#client.operator.confirm(request, token);
      return `Settled ${settled.length} series at ${price}.`;
    });
  }

  /** Settles every waiting series of an expiry. The two secrets are used for this attempt and not kept. */
  settle({ symbol, expiryTs }: Review, price: number, { areOwn, ...secrets }: TwoSecrets): Promise<Outcome> {
    const request = { symbol, expiryTs, price };
    return this.#act('it was settled', 'the audit below', async () => {
      const { settled } = await (areOwn
        ? this.#settleByNames(request, secrets)
        : this.#client.operator.settle(request, secrets));
      return `Settled ${settled.length} series at ${price}.`;
    });
  }

  /** One operator proposes and another confirms, as the exchange counts two names as two people (OPS-2). */
  async #settleByNames(
    request: Parameters<VenueClient['operator']['propose']>[0],
    { token1, token2 }: SettleTokens,
  ): Promise<HandSettleAnswer> {
    const { operator } = this.#client;
    const { id } = await operator.propose(request, { which: 'own', token: token1 });
    try {
      return await operator.confirm({ id, ...request }, { which: 'own', token: token2 });
    } catch (error) {
      if (mayBeCarriedOut(error)) throw error;
      throw new Error(`${messageOf(error)}: proposal ${id} waits a quarter of an hour for another operator`);
    }
  }

  /** Credits an address with the deposits held for it. */
  release(address: string): Promise<Outcome> {
    return this.#act('it was released', 'what is held', async () => {
      const { released } = await this.#client.custody(this.#token).release(address);
      return `Released $${released} to ${address}.`;
    });
  }

  /** Sends once and never retries: if no answer comes, tells the operator where to check. */
  async #act(what: string, where: string, send: () => Promise<string>): Promise<Outcome> {
    try {
      return { isDone: true, text: await send() };
    } catch (error) {
      const lost = `Whether ${what} is not known, and nothing was sent again: look at ${where}.`;
      const text = mayBeCarriedOut(error) ? `${messageOf(error)}. ${lost}` : messageOf(error);
      return { isDone: false, text };
    } finally {
      await this.look();
    }
  }
}

/** Settlements happen once a day, and reading them takes one request per underlying. */
const SETTLEMENTS_MS = 60_000;

/** A node that gives this page no metrics leaves the trend as it was. */
function trendAfter(before: readonly TrendPoint[], metrics: Samples, nowMs: number): readonly TrendPoint[] {
  return metrics.size === 0 ? before : withPoint(before, trendPoint(metrics, nowMs));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
