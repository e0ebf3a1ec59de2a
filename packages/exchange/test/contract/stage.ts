/** Where the contract's examples are played: a node with a fixed clock and seeded randomness, or a running process. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Environment } from '@venue/config';
import { openMemoryLog } from '@venue/log';
import { openVerifier, type Verifier } from '@venue/replay';
import { assembleNode, type Node } from '../../src/assembly.ts';
import { loadConfig } from '../../src/config.ts';
import { IN_MEMORY } from '../../src/history/schema.ts';
import { type HistoryStore, openHistoryStore } from '../../src/history/store.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { Metrics } from '../../src/observe/metrics.ts';
import { REPLAY_LIMIT_MS, snapshotOf } from '../../src/snapshots/snapshots.ts';
import { DEPOSITS, FEED_TOKEN, MAKER_TOKEN } from '../support.ts';

export interface Stage {
  readonly url: string;
  nowMs(): number;
  /** Lets time pass. Returns false, without waiting, if that would take too long. */
  pass(ms: number): Promise<boolean>;
}

/** The environment of every stage: few series, to keep lists short, and quotes that need no renewal. */
const COMMON: Environment = {
  VENUE_PORT: '0',
  VENUE_FEED_TOKEN: FEED_TOKEN,
  VENUE_MAKER_TOKEN: MAKER_TOKEN,
  VENUE_TOKEN_SECRET: 'seals the tokens of the examples in the contract',
  VENUE_SYMBOLS: 'BTC:crypto,AAPL:equity',
  VENUE_STRIKES_PER_SIDE: '1',
  VENUE_MAINTENANCE_MS: '100',
  VENUE_QUOTE_TTL_MS: '86400000',
};

/** The environment of each stage that a chapter may ask for. */
export const STAGES = {
  paper: COMMON,
  'no history': { ...COMMON, VENUE_HISTORY: 'off' },
  signed: { ...COMMON, VENUE_REQUIRE_SIGNED_ORDERS: '1' },
  deposits: { ...COMMON, ...DEPOSITS },
  'one nonce': { ...COMMON, VENUE_NONCES_PER_KEY: '1' },
  'one nonce, deposits': { ...COMMON, ...DEPOSITS, VENUE_NONCES_PER_KEY: '1' },
} as const satisfies Record<string, Environment>;
export type StageName = keyof typeof STAGES;

/** A Monday, ten in the morning in New York. */
const START_MS = Date.UTC(2026, 0, 5, 15);

interface Parts {
  readonly verifier: Verifier;
  readonly historyStore: HistoryStore | undefined;
}

/** A node on a log in memory that behaves the same in every run: its clock moves only when told to. */
export class RecordedStage implements Stage {
  readonly url: string;
  readonly #node: Node;
  readonly #verifier: Verifier;
  readonly #historyStore: HistoryStore | undefined;
  readonly #clock: { nowMs: number };

  private constructor(node: Node, { verifier, historyStore }: Parts, clock: { nowMs: number }) {
    const { port } = node.server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    this.#node = node;
    this.#verifier = verifier;
    this.#historyStore = historyStore;
    this.#clock = clock;
  }

  static async start(env: Environment): Promise<RecordedStage> {
    const clock = { nowMs: START_MS };
    const now = () => clock.nowMs;
    const log = await openMemoryLog({ now });
    const verifier = await openVerifier({ workers: 1 });
    const config = loadConfig(env);
    const historyStore = config.history === null ? undefined : await openHistoryStore(IN_MEMORY);
    const node = await assembleNode({
      config,
      historyStore,
      log,
      verifier,
      logger: createLogger('error'),
      metrics: new Metrics(),
      clock: now,
      randomBytes: seededBytes(),
      takeSnapshot: (state) => snapshotOf(state, log),
      replayLimitMs: REPLAY_LIMIT_MS,
      onFatal: (error) => {
        throw error;
      },
    });
    await once(node.server.listen(0, '127.0.0.1'), 'listening');
    await node.open();
    // A challenge contains the number of an earlier entry, so real time must not add ticks to the log.
    await node.maintenanceTimer.stop();
    await node.deadlineTimer.stop();
    return new RecordedStage(node, { verifier, historyStore }, clock);
  }

  nowMs(): number {
    return this.#clock.nowMs;
  }

  /** Resolves once the maintenance tick at the new time is complete: the only one, as the timer stands still. */
  async pass(ms: number): Promise<boolean> {
    this.#clock.nowMs += ms;
    await this.#node.maintenanceTimer.begin();
    return true;
  }

  /** The server's actual routes, as `METHOD /path` with parameters in braces. */
  operations(): string[] {
    return this.#node.routes.map(({ method, path }) => `${method} ${path}`);
  }

  async stop(): Promise<void> {
    const { server, hub, history } = this.#node;
    hub.stop();
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
    await history?.stop();
    await this.#historyStore?.close();
    await this.#verifier.close();
  }
}

/** Random bytes that are the same in every run. */
function seededBytes(): (size: number) => Uint8Array {
  let drawn = 0;
  return (size) => {
    drawn += 1;
    return createHash('sha256').update(`draw ${drawn}`).digest().subarray(0, size);
  };
}

const WAIT_MAX_MS = 3_000;

/** A separately running service on the machine's own clock. */
export class LiveStage implements Stage {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  nowMs(): number {
    return Date.now();
  }

  async pass(ms: number): Promise<boolean> {
    if (ms > WAIT_MAX_MS) return false;
    await sleep(ms);
    return true;
  }
}
