/** A venue on which an account pushes to quote sets, with an account of its own for each test. */

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import { decodeEntry, type QuoteSetCommand } from '@venue/engine';
import { QuoteSetsSchema, QuotesAnswerSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  type Json,
  type LocalVenue,
  type OpenSession,
  openSession,
  pricedVenue,
  type Reply,
} from './support.ts';

const pushAnswer = Compile(QuotesAnswerSchema);
const setsAnswer = Compile(QuoteSetsSchema);
export const PROTECTION = { symbol: 'BTC', windowMs: 600_000, qty: 10, frozenMs: 0 };

export class QuoteSetStage {
  venue!: LocalVenue;
  venueId!: string;
  series!: { seriesId: string; sid: number; expiryTs: number; strike: number };
  alice!: OpenSession;

  /** For the tests of the suite that calls it. */
  constructor() {
    before(async () => {
      this.venue = await pricedVenue();
      this.venueId = (await this.venue.get('/v1/venue')).body.venue;
      this.series = await this.venue.listed('BTC');
    });
    after(() => this.venue.exchange.stop());
    beforeEach(async () => {
      this.alice = await openSession(this.venue);
      await this.venue.post('/v1/margin', await this.alice.margin(true));
    });
    afterEach(() => this.act({ type: 'cancel-all' }));
  }

  readonly act = async (...actions: object[]): Promise<Json[]> =>
    (await this.venue.post('/v1/batch', await this.alice.batch(this.venueId, actions))).body.results;
  readonly protect = (change: object = {}) => this.act({ type: 'protect', set: 1, ...PROTECTION, ...change });
  readonly setsOf = async ({ token }: { token: string } = this.alice): Promise<Json[]> => {
    const { body } = await this.venue.get('/v1/quote-sets', { token });
    assert.ok(setsAnswer.Check(body), JSON.stringify(setsAnswer.Errors(body)));
    return body.sets;
  };
  readonly post = (body: string, headers: Record<string, string>, set: unknown = 1): Promise<Reply> =>
    this.venue.send(`/v1/quote-sets/${set}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  readonly push = async (
    rows: object,
    { set = 1, by = this.alice }: { set?: number; by?: OpenSession } = {},
  ) => {
    const body = JSON.stringify(rows);
    return this.post(body, await by.pushHeaders({ venueId: this.venueId, set, body }), set);
  };
  readonly quote = (bids: unknown, asks: unknown, more: object = {}) => ({
    quotes: [{ seriesId: this.series.seriesId, bids, asks, ...more }],
  });
  readonly applied = async (rows: object, set = 1): Promise<Json> => {
    const { status, body } = await this.push(rows, { set });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(pushAnswer.Check(body), JSON.stringify(pushAnswer.Errors(body)));
    return body;
  };
  readonly levels = async () => {
    const { body } = await this.venue.get(`/v1/book?seriesId=${this.series.seriesId}`);
    return [body.bids, body.asks].map((side: Json[]) => side.map(({ price, qty }: Json) => [price, qty]));
  };
  /** The pushes of the account in the log. */
  readonly pushesInLog = (): QuoteSetCommand[] =>
    this.venue.store.entries
      .filter(({ kind }) => kind === 'quote-set')
      .map((entry) => decodeEntry(entry).command as QuoteSetCommand)
      .filter(({ account }) => account === this.alice.account);
}
