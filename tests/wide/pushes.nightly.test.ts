import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSqliteLog } from '@venue/log';
import { QUOTES_CONTENT_TYPE } from '@venue/protocol';
import { MIB } from '../../packages/exchange/src/http/route.ts';
import { type LocalVenue, MAKER_TOKEN, pricedVenue } from '../../packages/exchange/test/support.ts';
import { type Listed, soundPushes, worstPushBytes } from '../../packages/exchange/test/worst-pushes.ts';

const HELD_MS_MAX = 20;
const ATTEMPTS_MIN = 5;
const ATTEMPTS_MAX = 50;

/**
 * The exchange runs in this thread, its log and signature verification in others. The cost of a turn of the event loop
 * is measured by this thread's processor time, which a busy machine affects far less than wall-clock time.
 */
describe('the longest time a push of quotes blocks the event loop (OWN-62)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-pushes-'));
  let venue: LocalVenue;
  let series: readonly Listed[];
  let maker: Record<string, string>;
  before(async () => {
    const log = await openSqliteLog({ path: join(folder, 'venue.db') });
    venue = await pricedVenue({}, { log });
    series = (await venue.get('/v1/series?symbol=BTC')).body.series;
    const secret = { 'x-maker-token': MAKER_TOKEN };
    const { body } = await venue.post('/v1/maker/session', { attemptId: 'a' }, { headers: secret });
    maker = { ...secret, 'x-quote-session': `${body.session}` };
  });
  after(async () => {
    await venue.exchange.stop();
    rmSync(folder, { recursive: true });
  });

  const send = async (type: string, body: Uint8Array | string): Promise<number> => {
    const headers = { ...maker, 'content-type': type };
    const reply = await fetch(`${venue.url}/v1/maker/quotes`, {
      method: 'POST',
      headers,
      body: body as never,
    });
    await reply.bytes();
    return reply.status;
  };
  /**
   * The best of several attempts, as other work on the machine only adds time, and code is slow until compiled: as many
   * as it takes to be under the limit once, which code that is too slow never is.
   */
  const leastMs = async (status: number, type: string, bodyOf: (attempt: number) => Uint8Array | string) => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < ATTEMPTS_MIN || (i < ATTEMPTS_MAX && least >= HELD_MS_MAX); i++) {
      const body = bodyOf(i);
      const times = new TurnTimes();
      assert.equal(await send(type, body), status);
      least = Math.min(least, times.stop());
    }
    return least;
  };

  it(`is under ${HELD_MS_MAX} ms in each form, where every row changes its series`, async () => {
    for (const [what, type, bodyOf] of soundPushes(series)) {
      const ms = await leastMs(200, type, bodyOf);
      assert.ok(ms < HELD_MS_MAX, `${what}: ${ms} ms`);
    }
  });

  it(`is under ${HELD_MS_MAX} ms for bytes that are refused`, async () => {
    for (const [what, bytes] of worstPushBytes(series, MIB)) {
      const ms = await leastMs(await send(QUOTES_CONTENT_TYPE, bytes), QUOTES_CONTENT_TYPE, () => bytes);
      assert.ok(ms < HELD_MS_MAX, `${what}: ${ms} ms`);
    }
  });
});

/** The processor time of each turn of the event loop. */
class TurnTimes {
  #longestMicros = 0;
  #before = process.threadCpuUsage();
  #next = setImmediate(() => this.#turn());

  #turn(): void {
    const { user, system } = process.threadCpuUsage(this.#before);
    this.#longestMicros = Math.max(this.#longestMicros, user + system);
    this.#before = process.threadCpuUsage();
    this.#next = setImmediate(() => this.#turn());
  }

  /** The longest, in milliseconds. */
  stop(): number {
    clearImmediate(this.#next);
    return this.#longestMicros / 1_000;
  }
}
