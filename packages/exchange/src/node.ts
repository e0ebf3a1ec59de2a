/** A node as a process runs it: on the log that its configuration names, listening. */

import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { State } from '@venue/engine';
import { type Log, LogFullError, openLog, type Snapshot } from '@venue/log';
import type { FastifyInstance } from 'fastify';
import { assembleNode } from './assembly.ts';
import { openVerifier, type Verifier } from './auth/verifier.ts';
import type { Config } from './config.ts';
import { closeServer } from './http/close-server.ts';
import { namedLogFailure } from './log-failure.ts';
import { createLogger, type Logger } from './logger.ts';
import { takeInThread } from './snapshot-thread.ts';
import { type Replayed, SnapshotLateError, type Snapshots, snapshotOf } from './snapshots.ts';

/**
 * How long requests in flight may take before a stop cuts them off. Verifier and log close after that, and all of it
 * has to fit into the 5 s that `venue up` grants the exchange.
 */
const DRAIN_MS = 3_000;
/** What a stop spends on its snapshot, within the same 5 s. */
const LAST_SNAPSHOT_MS = 1_500;
export interface ExchangeDeps {
  /** By default the SQLite log that the configuration names. */
  readonly log?: Log;
  readonly logger?: Logger;
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** What a start may have to replay (`REPLAY_LIMIT`). */
  readonly replayLimit?: Replayed;
  /** How long a stop waits for requests in flight (3 s). */
  readonly drainMs?: number;
  /** Told once when the node can no longer be trusted; the process must then exit. */
  readonly onFatal?: (error: Error) => void;
}

export interface Exchange {
  readonly url: string;
  /** What checks signatures: `native`, or `javascript`, which is slower. */
  readonly verification: Verifier['implementation'];
  /** Refuses new connections, answers what is in flight, then closes the log. */
  stop(): Promise<void>;
}

/**
 * Starts a node: opens and stamps the log, replays it, listens, puts the configuration in force, does the first
 * maintenance tick, and answers. Rejects with `LogOpenError`, `StampConflictError`, `LogFullError`, or the error of
 * listening; nothing is left open then.
 *
 * @example
 * const exchange = await startExchange(loadConfig({ VENUE_PORT: '0' }));
 * await fetch(`${exchange.url}/healthz`);
 * await exchange.stop();
 */
export async function startExchange(config: Config, deps: ExchangeDeps = {}): Promise<Exchange> {
  await using started = new AsyncDisposableStack();
  const logger = deps.logger ?? createLogger(config.logLevel);
  const onFatal = once(deps.onFatal ?? throwUncaught);
  const log = deps.log ?? (await openLog(config.log, { onWarning: (text) => logger.warn(text) }));
  started.defer(() => log.close());
  log.failed.then((error) => onFatal(namedLogFailure(error)));
  const verifier = await openVerifier({ onFailure: onFatal });
  started.defer(() => verifier.close());
  const { snapshots, maintenance, server, hub, open, giveUp } = await assembleNode({
    config,
    log,
    verifier,
    logger,
    clock: deps.clock ?? Date.now,
    randomBytes,
    takeSnapshot: (state, signal) => takeSnapshot(config, deps, { state, signal }),
    replayLimit: deps.replayLimit,
    onFatal,
  });
  started.defer(() => saveLast(snapshots, logger));
  started.defer(() => {
    snapshots.giveUp();
    return maintenance.stop();
  });
  const drainMs = deps.drainMs ?? DRAIN_MS;
  started.defer(() => {
    hub.stop();
    return closeServer(server, { drainMs, onCutOff: () => hub.dropAll() });
  });
  // An exchange that cannot listen writes nothing; until it is ready, requests wait.
  started.defer(giveUp);
  await server.listen({ host: config.host, port: config.port });
  await open();
  const running = started.move();
  return {
    url: urlOf(config.host, server),
    verification: verifier.implementation,
    stop: once(() => running.disposeAsync()),
  };
}

/**
 * A stop has its limit in time, which a state of 100,000 accounts with long histories may not fit into, and there may be
 * no room: neither is a failed stop.
 */
async function saveLast(snapshots: Snapshots, logger: Logger): Promise<void> {
  try {
    await snapshots.save(LAST_SNAPSHOT_MS);
  } catch (error) {
    const want =
      error instanceof SnapshotLateError ? 'time' : error instanceof LogFullError ? 'room' : undefined;
    if (want === undefined) throw error;
    logger.warn(`no snapshot of this stop, for want of ${want}; the next start replays from an earlier one`);
  }
}

/** A log that was given, and not named, can be read by this thread alone. */
async function takeSnapshot(
  { log, skipSeqs }: Config,
  deps: Pick<ExchangeDeps, 'log'>,
  { state, signal }: { state: State; signal: AbortSignal },
): Promise<Snapshot> {
  if (deps.log !== undefined) return snapshotOf(state);
  return takeInThread({ log, seq: state.seq, skipSeqs: [...skipSeqs] }, signal);
}

function urlOf(host: string, server: FastifyInstance): string {
  const { port } = server.server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function once<Args extends unknown[], T>(act: (...args: Args) => T): (...args: Args) => T {
  let result: { value: T } | undefined;
  return (...args) => {
    result ??= { value: act(...args) };
    return result.value;
  };
}

function throwUncaught(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
