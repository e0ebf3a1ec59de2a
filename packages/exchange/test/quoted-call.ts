/** A venue on which one call is quoted, with a new trader for each test of the calling block. */

import { after, before, beforeEach } from 'node:test';
import { type Json, type LocalVenue, openSession, pricedVenue, type Session } from './support.ts';

export class QuotedCall {
  venue!: LocalVenue;
  seriesId!: string;
  sid!: number;
  alice!: Session & { token: string };

  /** An order for one contract at the ask. */
  buy(change: object = {}) {
    return { seriesId: this.seriesId, side: 'buy' as const, qty: 1, price: 1010, ...change };
  }

  async me(): Promise<Json> {
    const { guardAt: _, ...account } = (await this.venue.get('/v1/me', { token: this.alice.token })).body;
    return account;
  }
}

/** The stage of a block: 5 contracts bid for at 1000 and offered at 1010, before each test. */
export function quotedCall(): QuotedCall {
  const stage = new QuotedCall();
  before(async () => {
    stage.venue = await pricedVenue();
    const { seriesId, sid } = await stage.venue.listed('BTC');
    Object.assign(stage, { seriesId, sid });
  });
  after(() => stage.venue.exchange.stop());
  beforeEach(async () => {
    stage.alice = await openSession(stage.venue);
    await stage.venue.quote({ rows: [[stage.sid, [[1000, 5]], [[1010, 5]]]] });
  });
  return stage;
}
