/** An exchange process of one checkout under load: the load and its checks are this checkout's for either side. */

import assert from 'node:assert/strict';
import { cpuTimeOf, Load } from '../orders/processes.ts';
import type { LoadOrder, LoadReport } from '../reads/load.ts';
import { Child } from '../shared/child.ts';
import { getOf, RawConnection } from '../shared/connection.ts';
import { Connection, Exchange, pushOf, rowsOf } from '../shared/exchange.ts';
import type { Cost } from './judge.ts';

export interface LoadOptions {
  readonly traders: number;
  readonly connections: number;
  /** In a round. */
  readonly orders: number;
  readonly batches: number;
  readonly readMs: number;
}

/** How writes are sent. */
export type WriteForm = 'order' | 'batch';

const ACTIONS_A_BATCH = 64;
/** Longer than any run, so that quotes stand and a round ends with its writes. */
const HOUR_MS = 3_600_000;

export class ServerSide {
  readonly #exchange: Exchange;
  readonly #load: Load;
  readonly #reader = Child.fork(new URL('../reads/load.ts', import.meta.url));
  readonly #options: LoadOptions;
  #venue = '';
  #chain: Pick<LoadOrder, 'path' | 'bodies'> | null = null;

  private constructor(exchange: Exchange, options: LoadOptions) {
    this.#exchange = exchange;
    this.#load = new Load();
    this.#options = options;
  }

  /** Starts the exchange of a checkout on a new log, and opens the traders. */
  static async open(root: string, logPath: string, options: LoadOptions): Promise<ServerSide> {
    const env = { VENUE_REQUIRE_SIGNED_ORDERS: '1', VENUE_QUOTE_TTL_MS: `${HOUR_MS}` };
    const side = new ServerSide(await Exchange.start(logPath, env, root), options);
    try {
      await side.#introduce();
      return side;
    } catch (error) {
      side.end();
      throw error;
    }
  }

  async #introduce(): Promise<void> {
    const { url, client } = this.#exchange;
    const { traders } = this.#options;
    const seriesIds = (await this.#exchange.list()).map(({ seriesId }) => seriesId);
    this.#venue = (await client.market.venue()).venue;
    await this.#load.ask('open', { url, traders, seriesIds });
  }

  /** A round of signed orders and cancels at full speed, or of batches of them; the cost of an action. */
  async write(form: WriteForm): Promise<Cost> {
    const { connections, orders, batches } = this.#options;
    if (form === 'order') await this.#load.ask('sign', orders);
    else await this.#load.ask('signBatches', batches, { each: ACTIONS_A_BATCH, venue: this.#venue });
    // Meanwhile the exchange may have hung up on those that sent nothing.
    await this.#load.ask('connect', { target: 'exchange', url: this.#exchange.url, connections });
    const before = this.#cpuMs;
    const run = await this.#load.ask('saturate', 'exchange', HOUR_MS);
    return costOf(this.#cpuMs - before, run.elapsedMs, run.actions);
  }

  /** A round of reads of a chain whose quotes stand. */
  async read(): Promise<Cost> {
    this.#chain ??= await this.#quoteChain();
    const { connections, readMs: forMs } = this.#options;
    const before = this.#cpuMs;
    const order: LoadOrder = {
      ...{ url: this.#exchange.url, headers: {}, connections, forMs, perSecond: null },
      ...this.#chain,
    };
    const { fault, elapsedMs, reads } = await this.#reader.ask<LoadReport>(order);
    assert.equal(fault, null);
    return costOf(this.#cpuMs - before, elapsedMs, reads);
  }

  end(): void {
    this.#exchange.end();
    this.#load.end();
    this.#reader.end();
  }

  /** Without snapshots, which come by the clock and not by the order, and whose thread takes its time along when it ends. */
  get #cpuMs(): number {
    const { allMs, byThread } = cpuTimeOf(this.#exchange.pid);
    return allMs - (byThread.get('snapshot') ?? 0);
  }

  /** Quotes the symbol and learns the chain of an expiry in which nobody trades. */
  async #quoteChain(): Promise<Pick<LoadOrder, 'path' | 'bodies'>> {
    const { url } = this.#exchange;
    const series = await this.#exchange.series();
    const maker = new Connection(url, await this.#exchange.maker());
    await maker.push(pushOf('binary', rowsOf(series, 0)));
    maker.close();
    const path = `/v1/chain?symbol=BTC&expiryTs=${Math.max(...series.map(({ expiryTs }) => expiryTs))}`;
    const connection = await RawConnection.open(url);
    const { status, body } = await connection.send(getOf(path));
    connection.close();
    assert.equal(status, 200, `${body}`);
    return { path, bodies: [Buffer.from(body)] };
  }
}

function costOf(cpuMs: number, elapsedMs: number, units: number): Cost {
  return { cpuUs: (cpuMs * 1_000) / units, wallUs: (elapsedMs * 1_000) / units };
}
