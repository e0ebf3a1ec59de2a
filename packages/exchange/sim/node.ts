/**
 * A node without sockets and threads, on a simulated store. Requests are passed directly to its server, and
 * signatures are recovered on the same thread.
 */

import type { State } from '@venue/engine';
import type { Log } from '@venue/log';
import { parseSignature } from '@venue/protocol';

import { loadRecovery, type Verifier } from '@venue/replay';
import inject from 'light-my-request';
import { assembleNode, type Node } from '../src/assembly.ts';
import type { Config } from '../src/config.ts';
import { createLogger } from '../src/observe/logger.ts';
import { Metrics } from '../src/observe/metrics.ts';
import { snapshotOf } from '../src/snapshots/snapshots.ts';
import type { World } from './world.ts';

/** Small, so that nodes often start from snapshots, where what is applied together takes 1 ms. */
const REPLAY_LIMIT_MS = 60;
/** A stop without a deadline, so that it always ends with a snapshot. */
const SAVE_LIMIT_MS = 60_000;

export interface NodeOptions {
  readonly world: World;
  readonly config: Config;
  /** The log, opened by this process. */
  readonly log: Log;
  /** The machine's clock, Unix ms. */
  readonly clock: () => number;
  readonly onFatal: (error: Error) => void;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** Last entry the node had applied when it answered. */
  readonly seq: number;
}

/** The method, path, headers and body of a request. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export class SimNode {
  readonly #node: Node;
  readonly #log: Log;

  private constructor(node: Node, log: Log) {
    this.#node = node;
    this.#log = log;
  }

  get state(): State {
    return this.#node.state;
  }

  /** True if the node may answer requests. */
  get isCurrent(): () => boolean {
    return this.#node.isCurrent;
  }

  /** Replays the log, puts the configuration in force and runs the first maintenance tick. */
  static async start(options: NodeOptions): Promise<SimNode> {
    const { world, config, log, clock, onFatal } = options;
    log.failed.then(onFatal);
    const node = await assembleNode({
      config,
      log,
      verifier: verifierOf(world),
      logger: createLogger('silent'),
      metrics: new Metrics(),
      clock,
      randomBytes: (size) => Uint8Array.from({ length: size }, () => world.random.between(0, 255)),
      takeSnapshot: (state) => snapshotOf(state, log),
      replayLimitMs: REPLAY_LIMIT_MS,
      monotonicMs: counting(),
      onFatal,
    });
    if (node.snapshotSeq > 0) world.counts.add('start from a snapshot');
    await node.open();
    return new SimNode(node, log);
  }

  async serve({ method, path, headers, body }: Call): Promise<Reply> {
    const { server } = this.#node;
    const response = await inject((request, response) => server.emit('request', request, response), {
      method,
      url: path,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: JSON.parse(response.body), seq: this.state.seq };
  }

  /** Stops cleanly: answers requests in flight, saves a snapshot, closes the log. */
  async stop(): Promise<void> {
    const { maintenanceTimer, deadlineTimer, snapshots } = this.#node;
    await maintenanceTimer.stop();
    await deadlineTimer.stop();
    await snapshots.save(SAVE_LIMIT_MS);
    await this.#log.close();
  }
}

/** Real time would make every run another one, and virtual time stands still while entries are applied. */
function counting(): () => number {
  let ms = 0;
  return () => ms++;
}

const recovery = await loadRecovery();

/** Real recoveries, with the delay of a busy thread. */
function verifierOf(world: World): Verifier {
  const { implementation, recover: recoverNow } = recovery;
  const recover = async (text: string, signature: string) => {
    const parsed = parseSignature(signature);
    if (parsed === undefined) return null;
    await world.sleep(world.random.chance(0.05) ? 60 : 0.3);
    return recoverNow(text, parsed);
  };
  return {
    implementation,
    recover,
    verify: async (text, signature, signer) => (await recover(text, signature)) === signer,
    waiting: 0,
    close: async () => {},
  };
}
