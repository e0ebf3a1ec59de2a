/**
 * A node without sockets and threads: the parts of `src/node.ts`, wired in the same order, on a simulated store. Requests
 * come in through the server's own injection, and signatures are recovered in place rather than in a thread.
 */

import { createState, isRefused, type State } from '@venue/engine';
import type { Log } from '@venue/log';
import { parseSignature } from '@venue/protocol';
import type { FastifyInstance } from 'fastify';
import { Challenges } from '../src/auth/challenges.ts';
import { Credentials } from '../src/auth/credentials.ts';
import { loadRecovery } from '../src/auth/recovery.ts';
import { WIDE_SEARCHES_MAX } from '../src/auth/signed-write.ts';
import { Tokens } from '../src/auth/tokens.ts';
import type { Verifier } from '../src/auth/verifier.ts';
import { WaitingLine } from '../src/auth/waiting-line.ts';
import type { Config } from '../src/config.ts';
import { routesOf } from '../src/http/routes/index.ts';
import { createServer } from '../src/http/server.ts';
import { createLogger } from '../src/logger.ts';
import { Maintenance } from '../src/maintenance.ts';
import { Sequencer } from '../src/sequencer.ts';
import type { Services } from '../src/services.ts';
import { loadState, Snapshots, snapshotOf } from '../src/snapshots.ts';
import { StreamHub } from '../src/stream/hub.ts';
import { Tape } from '../src/tape.ts';
import type { World } from './world.ts';

/** As in `src/node.ts`. */
const OUT_OF_TOUCH_MS = 5_000;
/** Few, so that starts from snapshots come often. */
const REPLAY_LIMIT = { entries: 60, bytes: 1_000_000 };

export interface NodeOptions {
  readonly world: World;
  readonly config: Config;
  /** Opened by this very process. */
  readonly log: Log;
  /** Unix ms of this machine. */
  readonly clock: () => number;
  readonly onFatal: (error: Error) => void;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** What the node had applied when it answered. */
  readonly seq: number;
}

/** What a request carries. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface NodeParts {
  readonly state: State;
  readonly isCurrent: () => boolean;
  readonly server: FastifyInstance;
  readonly stop: () => Promise<void>;
}

export class SimNode {
  readonly state: State;
  /** Whether it may answer anybody. */
  readonly isCurrent: () => boolean;
  readonly #server: FastifyInstance;
  readonly #stop: () => Promise<void>;

  private constructor({ state, isCurrent, server, stop }: NodeParts) {
    this.state = state;
    this.isCurrent = isCurrent;
    this.#server = server;
    this.#stop = stop;
  }

  /** Replays the log, puts the configuration in force, does the first maintenance tick. */
  static async start(options: NodeOptions): Promise<SimNode> {
    const { world, config, log, clock, onFatal } = options;
    log.failed.then(onFatal);
    await log.writeStamp(new Map([['format', '2']]));
    const state = await loadedState(world, log);
    const now = () => Math.max(state.ts, clock());
    const isCurrent = () => log.status().lastContactMs < OUT_OF_TOUCH_MS;
    const hub = new StreamHub({ state, now, tickMs: config.wsTickMs, isCurrent });
    const snapshots = new Snapshots({ log, state, take: () => snapshotOf(state), limit: REPLAY_LIMIT });
    const sequencer = new Sequencer({
      log,
      state,
      effects: hub.effects,
      skipSeqs: new Set(),
      onApplied: (applied) => snapshots.applied(applied),
      onFatal,
    });
    await sequencer.replay();
    const services = servicesOf({ world, config, state, now, isCurrent, sequencer });
    const maintenance = new Maintenance({
      sequencer,
      intervalMs: config.parameters.maintenanceMs,
      now,
      onTick: () => snapshots.saveIfDue(),
      onError: () => {},
    });
    const routes = routesOf(services, config.parameters.fundingMode);
    const server = await createServer({ services, routes, logger: createLogger('silent'), isCurrent });
    await server.ready();
    await putInForce(sequencer, state, config);
    await maintenance.begin();
    const stop = async () => {
      await server.close();
      await maintenance.stop();
      await snapshots.save();
      await log.close();
    };
    return new SimNode({ state, isCurrent, server, stop });
  }

  async serve({ method, path, headers, body }: Call): Promise<Reply> {
    const response = await this.#server.inject({
      method,
      url: path,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: JSON.parse(response.body), seq: this.state.seq };
  }

  /** A clean stop: answers what is in flight, saves a snapshot, closes the log. */
  stop(): Promise<void> {
    return this.#stop();
  }
}

async function loadedState(world: World, log: Log): Promise<State> {
  const state = await loadState(log, { warn() {} });
  if (state !== null) world.counts.add('start from a snapshot');
  return state ?? createState();
}

async function putInForce(sequencer: Sequencer, state: State, { parameters }: Config): Promise<void> {
  if (state.parameters !== null) return;
  await sequencer.submit({ kind: 'configure', parameters }, (outcome) => {
    if (isRefused(outcome) || outcome.conflict) throw new Error('the configuration was refused');
  });
}

interface ServiceParts extends Pick<Services, 'state' | 'now' | 'isCurrent' | 'sequencer'> {
  readonly world: World;
  readonly config: Config;
}

function servicesOf({ world, config, ...parts }: ServiceParts): Services {
  const { now } = parts;
  const randomBytes = (size: number) => Uint8Array.from({ length: size }, () => world.random.between(0, 255));
  return {
    ...parts,
    signingRequired: config.signingRequired,
    verifier: verifierOf(world),
    challenges: new Challenges({ now, randomBytes }),
    tokens: new Tokens({ now, randomBytes, secret: config.tokenSecret! }),
    credentials: new Credentials(config.secrets),
    wideSearches: new WaitingLine(WIDE_SEARCHES_MAX),
    tape: new Tape(),
  };
}

const recovery = await loadRecovery();

/** Real recoveries, each with a wait as a busy thread would have it. */
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
    close: async () => {},
  };
}
