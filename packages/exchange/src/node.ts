/** A node as a process runs it (HTTP-7): listening, on the log that its configuration names. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FEATURE_LEVEL, type State } from '@venue/engine';
import {
  type Log,
  LogFullError,
  LogUnavailableError,
  openFollowedLog,
  openLog,
  parseLogSpec,
  type ReadOnlyLog,
} from '@venue/log';
import { openVerifier, type Verifier } from '@venue/replay';
import { openTracing, type Tracing } from '@venue/telemetry';
import { assembleNode } from './assembly.ts';
import { sharedSecrets } from './auth/credentials.ts';
import type { Config, FollowerConfig, ServingConfig } from './config.ts';
import type { CoreDeps, Served } from './core.ts';
import { closeServer } from './edge/close-server.ts';
import { DailyFiles } from './files/daily-files.ts';
import { assembleFollower } from './follower.ts';
import { HistoryUnavailableError } from './history/history.ts';
import { HistoryOpenError, IN_MEMORY } from './history/schema.ts';
import { type HistoryStore, openHistoryStore } from './history/store.ts';
import { createLogger, type Logger } from './observe/logger.ts';
import { Metrics } from './observe/metrics.ts';
import { Archiving, type CopyToArchive } from './snapshots/archiving.ts';
import {
  REPLAY_LIMIT_MS,
  SnapshotLateError,
  type Snapshots,
  snapshotOf,
  type TakenSnapshot,
} from './snapshots/snapshots.ts';
import { takeInThread } from './snapshots/thread.ts';

/** The longest stop after draining: `venue up`, which drains no node, kills an exchange that still runs after 5 s. */
const STOP_MS = 4_700;
/** The part of it in which requests in flight may finish before they are cut off. */
const IN_FLIGHT_MS = 3_000;
/** The part of it for the snapshot. */
const LAST_SNAPSHOT_MS = 1_500;

export interface ExchangeDeps {
  /** By default, the log that the configuration names. */
  readonly log?: Log;
  /** File of the history; by default the one that the configuration names, or none if `log` is given. */
  readonly history?: string;
  readonly logger?: Logger;
  /** Checks signatures, and is left open; by default one of the node's own. */
  readonly verifier?: Verifier;
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** The longest wait of a stop for requests in flight; by default 3 s. */
  readonly inFlightMs?: number;
  /** Writes archives, where the configuration wants old entries to leave the log. */
  readonly copyToArchive?: CopyToArchive;
  /** Called once when the node can no longer be trusted; the process must then exit. */
  readonly onFatal?: (error: Error) => void;
}

export interface Exchange {
  readonly url: string;
  /** The implementation that checks signatures: `native`, or the slower `javascript`. */
  readonly verification: Verifier['implementation'];
  /**
   * Drains for as long as configured: not ready, but answering. Then refuses new connections, answers requests in
   * flight, saves a snapshot and closes the log. Resolves 4.7 s after the drain even if the log has not answered; the
   * process must then exit.
   */
  stop(): Promise<void>;
}

/**
 * Starts a node: opens and stamps the log, replays it, listens, puts the configuration in force, runs the first
 * maintenance tick, and answers. Rejects with `LogOpenError`, `StampConflictError`, `ConfigError`, `LogFullError`,
 * `LogUnavailableError`, or the error of listening, and then leaves nothing open.
 *
 * @example
 * const exchange = await startExchange(loadConfig({ VENUE_PORT: '0' }));
 * await fetch(`${exchange.url}/healthz`);
 * await exchange.stop();
 */
export async function startExchange(config: Config, deps: ExchangeDeps = {}): Promise<Exchange> {
  return start(config, deps, {
    openLog: (logger) => openNodeLog(config, logger),
    sayFirst: (logger) => {
      if (config.parameters.fundingMode === 'deposits')
        for (const line of sharedSecrets(config.secrets, config.operators)) logger.warn(line);
    },
    service: 'exchange',
    assemble: async (core, started) => {
      const node = await assembleNode({
        ...core,
        config,
        takeSnapshot: (state, signal) => takeSnapshot(config, deps, { state, signal }),
        replayLimitMs: REPLAY_LIMIT_MS,
      });
      const { history, snapshots, maintenanceTimer, deadlineTimer } = node;
      const { log, logger } = core;
      started.defer(() => history?.stop());
      started.defer(() => saveLast(snapshots, { log, logger }));
      started.defer(() => deadlineTimer.stop());
      started.defer(() => {
        snapshots.giveUp();
        return maintenanceTimer.stop();
      });
      const archiving = archivingOf(config, deps, { log, snapshots, logger });
      started.defer(() => archiving?.stop());
      return { served: node, onOpen: () => archiving?.begin() };
    },
  });
}

export type FollowerProcessDeps = Pick<ExchangeDeps, 'logger' | 'clock' | 'inFlightMs' | 'onFatal'>;

/**
 * Starts a follower: opens the log, which others write, replays it, listens and answers what reads (FOL-1). Rejects with
 * `LogOpenError`, `ConfigError`, or the error of listening, and then leaves nothing open.
 *
 * @example
 * const follower = await startFollower(loadFollowerConfig({ VENUE_PORT: '8081' }));
 * await fetch(`${follower.url}/v1/meta`);
 * await follower.stop();
 */
export async function startFollower(
  config: FollowerConfig,
  deps: FollowerProcessDeps = {},
): Promise<Exchange> {
  return start(config, deps, {
    openLog: (logger) => openFollowedLog(config.log, { onWarning: (text) => logger.warn(text) }),
    sayFirst: (logger) => {
      if (config.tokenSecret === null)
        logger.warn(
          'VENUE_TOKEN_SECRET is not set: no token of a node is known here, so accounts cannot be read',
        );
    },
    service: 'follower',
    assemble: async (core, started) => {
      const served = await assembleFollower({ ...core, config });
      started.defer(() => served.history?.stop());
      started.defer(() => served.anchoring.stop());
      return { served, onOpen: () => {} };
    },
  });
}

interface Kind<L extends ReadOnlyLog> {
  readonly openLog: (logger: Logger) => Promise<L>;
  /** Logs what the operator should know before anything else. */
  readonly sayFirst: (logger: Logger) => void;
  readonly service: 'exchange' | 'follower';
  /** Defers what has to be ended before the log is closed, in order. */
  readonly assemble: (
    core: CoreDeps & { readonly log: L },
    started: AsyncDisposableStack,
  ) => Promise<{ readonly served: Served; readonly onOpen: () => void }>;
}

/** Everything between the configuration and the first answer, and its end. */
async function start<L extends ReadOnlyLog>(
  config: ServingConfig,
  deps: Omit<ExchangeDeps, 'log'> & { readonly log?: L },
  { openLog, sayFirst, service, assemble }: Kind<L>,
): Promise<Exchange> {
  await using started = new AsyncDisposableStack();
  const logger = deps.logger ?? createLogger(config.logLevel);
  sayFirst(logger);
  const onFatal = onlyOnce(deps.onFatal ?? throwUncaught);
  const log = deps.log ?? (await openLog(logger));
  started.defer(() => log.close());
  log.failed.then(onFatal);
  // The two threads start in parallel, because the venue is down during a start.
  const historyOpening = openHistory(config, deps, logger);
  started.defer(async () => (await historyOpening)?.close());
  const metrics = new Metrics(service);
  const path = deps.log === undefined ? filePath(config.log) : null;
  if (path !== null) metrics.watchDisk(path);
  const tracing = await openTracingOf(config, service);
  started.defer(() => tracing?.close());
  const verifier = deps.verifier ?? (await openVerifier({ onFailure: onFatal }));
  if (deps.verifier === undefined) started.defer(() => verifier.close());
  const files = filesOf(config, deps, logger);
  const { served, onOpen } = await assemble(
    {
      ...{ config, log, historyStore: await historyOpening, files, verifier, logger, metrics, tracing },
      ...{ clock: deps.clock ?? Date.now, randomBytes, onFatal },
    },
    started,
  );
  started.defer(() => files?.stop());
  started.defer(() => closeDoors(served, deps.inFlightMs ?? IN_FLIGHT_MS));
  // One that cannot listen writes nothing; requests wait until it is ready.
  started.defer(served.giveUp);
  await once(served.server.listen(config.port, config.host), 'listening');
  await served.open();
  onOpen();
  const { state, history } = served;
  if (history !== null) files?.start({ state, history, log });
  const running = started.move();
  return {
    url: urlOf(config.host, served.server),
    verification: verifier.implementation,
    stop: onlyOnce(async () => {
      served.drain();
      await sleep(config.drainMs);
      await stopInTime(running, logger);
    }),
  };
}

/** Answers the requests in flight; those who wait for an entry wait no longer. */
function closeDoors({ server, hub, channels, waits }: Served, inFlightMs: number): Promise<void> {
  hub.stop();
  channels.stop();
  waits.stop();
  const onCutOff = () => {
    hub.clients.dropAll();
    channels.clients.dropAll();
  };
  return closeServer(server, { inFlightMs, onCutOff });
}

function openNodeLog({ log, logSingle: single }: Config, logger: Logger): Promise<Log> {
  return openLog(log, { single, level: FEATURE_LEVEL, onWarning: (text) => logger.warn(text) });
}

/** The path of a log that is a file. */
function filePath(log: string): string | null {
  const spec = parseLogSpec(log);
  return spec.kind === 'sqlite' ? spec.path : null;
}

async function openTracingOf({ tracing }: ServingConfig, service: string): Promise<Tracing | undefined> {
  return tracing === null ? undefined : openTracing({ ...tracing, service: `venue-${service}` });
}

/** For a log passed as an object the history is kept in memory. A faulty file stops nobody from trading. */
async function openHistory(
  { history }: ServingConfig,
  deps: { readonly log?: unknown; readonly history?: string },
  logger: Logger,
): Promise<HistoryStore | undefined> {
  const path = deps.history ?? (deps.log === undefined ? history : IN_MEMORY);
  if (path === null) return undefined;
  try {
    return await openHistoryStore(path);
  } catch (error) {
    if (!(error instanceof HistoryOpenError)) throw error;
    logger.error(`no history is kept, and there are no statements: ${error.message}`);
    return undefined;
  }
}

/** They are made from the file of the history, so there are none without one. */
function filesOf(
  { files: folder, history }: ServingConfig,
  deps: { readonly log?: unknown; readonly history?: string },
  logger: Logger,
): DailyFiles | undefined {
  const file = deps.history ?? (deps.log === undefined ? history : null);
  if (folder === null || file === null || file === IN_MEMORY) return undefined;
  return new DailyFiles({ folder, history: file, logger });
}

/**
 * An unreachable log keeps its appends, and therefore its close, waiting; the clients that sent them are gone by now.
 */
async function stopInTime(running: AsyncDisposableStack, logger: Logger): Promise<void> {
  const stopped = running.disposeAsync();
  const late = sleep(STOP_MS, 'late' as const, { ref: false });
  if ((await Promise.race([stopped, late])) === 'late')
    logger.warn('stopped without waiting for the log any longer; every write that was acknowledged is in it');
}

/**
 * A stop has a time limit, which the snapshot of 100,000 accounts with long histories may exceed. The log may also be
 * full or unreachable. In all these cases the stop still succeeds.
 */
async function saveLast(snapshots: Snapshots, { log, logger }: { log: Log; logger: Logger }): Promise<void> {
  try {
    await snapshots.save(LAST_SNAPSHOT_MS);
  } catch (error) {
    const want = wantOf(error, log);
    if (want === undefined) throw error;
    logger.warn(`no snapshot of this stop, for want of ${want}; the next start replays from an earlier one`);
  }
}

function wantOf(error: unknown, log: Log): string | undefined {
  if (error instanceof LogFullError) return 'room';
  if (error instanceof LogUnavailableError) return 'the log';
  if (error instanceof HistoryUnavailableError) return 'the history';
  if (error instanceof SnapshotLateError) return log.status().reachable ? 'time' : 'the log';
  return undefined;
}

function archivingOf(
  { archive, log: spec }: Config,
  { copyToArchive: copy }: ExchangeDeps,
  { log, snapshots, logger }: { log: Log; snapshots: Snapshots; logger: Logger },
): Archiving | null {
  if (archive === null || copy === undefined) return null;
  const { folder, everyMs } = archive;
  const onError = (err: Error) =>
    logger.error({ err }, 'old entries stay in the log; next try at the next round');
  return new Archiving({ log, snapshots, copy, place: { log: spec, folder }, everyMs, onError });
}

/** A log passed as an object can only be read on this thread. */
async function takeSnapshot(
  { log, skipSeqs }: Config,
  deps: Pick<ExchangeDeps, 'log'>,
  { state, signal }: { state: State; signal: AbortSignal },
): Promise<TakenSnapshot> {
  if (deps.log !== undefined) return snapshotOf(state, deps.log);
  return takeInThread({ log, seq: state.seq, skipSeqs: [...skipSeqs] }, signal);
}

function urlOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function onlyOnce<Args extends unknown[], T>(act: (...args: Args) => T): (...args: Args) => T {
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
