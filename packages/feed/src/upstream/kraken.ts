/** ccxt's WebSocket client of Kraken, with access to its frames and sockets. */

import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { pro } from 'ccxt';

type KrakenClass = typeof pro.kraken;
type WsClient = ReturnType<InstanceType<KrakenClass>['client']>;

export interface KrakenOptions {
  readonly url: string;
  /** Pairs such as BTC/USD. */
  readonly pairs: readonly string[];
  /** Gets every frame before ccxt does; text that is not JSON stays text. */
  readonly onFrame: (frame: unknown) => void;
  /** A frame of trades or of a ticker that ccxt could not read. */
  readonly onGarbled: () => void;
}

/** The parts of a client that the adapter uses. */
export type KrakenClient = Pick<
  InstanceType<KrakenClass>,
  'watchTrades' | 'watchTicker' | 'watchOrderBook'
> & {
  /** Closes every socket, even while connecting; takes half a second at most. */
  end(): Promise<void>;
};

const CLOSE_LIMIT_MS = 500;

/**
 * Loads the class of one exchange. The package's own entry would load all of them: 110 MB and half a second instead
 * of 40 MB and a tenth.
 */
export async function loadKraken(): Promise<KrakenClass> {
  const { href } = new URL('./src/pro/kraken.js', import.meta.resolve('ccxt'));
  const module: { default: KrakenClass } = await import(href);
  return module.default;
}

/** A client of one connection; it connects on the first `watch…`. */
export function createKraken(Kraken: KrakenClass, options: KrakenOptions): KrakenClient {
  const { url, pairs, onFrame, onGarbled } = options;

  class TappedKraken extends Kraken {
    readonly #sockets = new Set<WsClient>();

    override client(address: string): WsClient {
      const client = super.client(address);
      // Frames that are not JSON would be printed, with a stack.
      client.log = () => {};
      this.#sockets.add(client);
      return client;
    }

    override handleMessage(...[client, frame]: Parameters<InstanceType<KrakenClass>['handleMessage']>): void {
      onFrame(frame);
      if (typeof frame !== 'object') return;
      try {
        super.handleMessage(client, frame);
      } catch (error) {
        // A book that missed an update stays wrong: only a new connection repairs it.
        if (frame.channel === 'book') throw error;
        onGarbled();
      }
    }

    // A ticker snapshot holds the last trade, which may be hours old, without its time.
    override handleTicker(...args: Parameters<InstanceType<KrakenClass>['handleTicker']>): void {
      if (args[1].type !== 'snapshot') super.handleTicker(...args);
    }

    async end(): Promise<void> {
      const open = [...this.#sockets].map(({ connection }) => connection).filter((socket) => socket != null);
      for (const socket of open) socket.close();
      const untilMs = performance.now() + CLOSE_LIMIT_MS;
      const isClosed = () => open.every(({ readyState, CLOSED }) => readyState === CLOSED);
      while (!isClosed() && performance.now() < untilMs) await sleep(10);
      for (const socket of open) socket.terminate();
    }
  }

  const kraken = new TappedKraken({ enableRateLimit: false });
  (kraken.urls.api as { ws: Record<string, string> }).ws.publicV2 = url;
  // Without one ccxt refuses addresses that are not wss, such as a proxy on this machine.
  kraken.httpAgent = new Agent();
  // The pairs are known, so the list of all markets need not be fetched; the upstream refuses unknown pairs.
  kraken.setMarkets(pairs.map(marketOf));
  return kraken;
}

function marketOf(pair: string): object {
  const [base, quote] = pair.split('/');
  return {
    id: pair,
    symbol: pair,
    base,
    quote,
    baseId: base,
    quoteId: quote,
    spot: true,
    type: 'spot',
    info: { wsname: pair },
  };
}
