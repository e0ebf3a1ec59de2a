/** The composition of a node: log, engine, edge. The only place that wires them. */

import { randomBytes } from 'node:crypto';
import { type AddressInfo, Server } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createState, type Effects, isRefused, type State } from '@venue/engine';
import { type Log, LogOpenError, openLog, type Snapshot } from '@venue/log';
import type { FastifyInstance } from 'fastify';
import { Challenges } from './auth/challenges.ts';
import { Credentials } from './auth/credentials.ts';
import { WIDE_SEARCHES_MAX } from './auth/signed-write.ts';
import { Tokens } from './auth/tokens.ts';
import { openVerifier, type Verifier } from './auth/verifier.ts';
import { WaitingLine } from './auth/waiting-line.ts';
import type { Config } from './config.ts';
import { routesOf } from './http/routes/index.ts';
import { createServer } from './http/server.ts';
import { addStreamRoute } from './http/stream-route.ts';
import { namedLogFailure } from './log-failure.ts';
import { createLogger, type Logger } from './logger.ts';
import { Maintenance } from './maintenance.ts';
import { Sequencer } from './sequencer.ts';
import type { Services } from './services.ts';
import { takeInThread } from './snapshot-thread.ts';
import { loadState, type Replayed, SnapshotLateError, Snapshots, snapshotOf } from './snapshots.ts';
import { StreamHub } from './stream/hub.ts';
import { Tape } from './tape.ts';

const PROGRESS_MS = 1_000;
/**
 * How long requests in flight may take before a stop cuts them off. Verifier and log close after that, and all of it
 * has to fit into the 5 s that `venue up` grants the exchange.
 */
const DRAIN_MS = 3_000;
/** What a stop spends on its snapshot, within the same 5 s. */
const LAST_SNAPSHOT_MS = 1_500;
/** A node that has not heard of its log for so long answers nobody, as others may have gone on without it. */
const OUT_OF_TOUCH_MS = 5_000;
/**
 * A stop lets clients hang up, as every answer then tells them to, until none has asked for so long, or to the maximum. A
 * request that crosses a hang-up of the server gets no answer, and its client does not know what became of it.
 */
const LEAVE_MS = 100;
const LEAVE_MS_MAX = 1_000;
/** How often, after that, connections that have got their answer are closed. */
const HANG_UP_MS = 20;

/** Of a secret that nobody set: the next start has another, and every token is unknown then. */
const TOKEN_SECRET_BYTES = 32;

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
 * maintenance tick, and answers. Rejects with
 * `LogOpenError`, `StampConflictError`, or the error of listening; nothing is left open then.
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
  await checkFormat(log);
  await log.writeStamp(stampOf(config));

  const state = (await loadState(log, logger)) ?? createState();
  const now = clockOf(state, deps.clock ?? Date.now);
  const tape = new Tape();
  const isCurrent = () => log.status().lastContactMs < OUT_OF_TOUCH_MS;
  const hub = new StreamHub({ state, now, tickMs: config.wsTickMs, isCurrent });
  const effects = withTape(hub.effects, tape);
  const snapshots = new Snapshots({
    log,
    state,
    take: (signal) => takeSnapshot(config, deps, { state, signal }),
    ...(deps.replayLimit && { limit: deps.replayLimit }),
  });
  const onApplied = (applied: Replayed) => snapshots.applied(applied);
  const sequencer = new Sequencer({ log, state, effects, skipSeqs: config.skipSeqs, onApplied, onFatal });
  await replay(sequencer, { log, state, logger });
  started.defer(() => saveLast(snapshots, logger));
  const verifier = await openVerifier({ onFailure: onFatal });
  started.defer(() => verifier.close());
  const services = createServices({ config, state, now, isCurrent, sequencer, verifier, tape });
  const maintenance = new Maintenance({
    sequencer,
    intervalMs: config.parameters.maintenanceMs,
    now,
    onTick: () => {
      warnOfClock(state, deps.clock ?? Date.now, logger);
      return snapshots.saveIfDue();
    },
    onError: (err) => logger.error({ err }, 'maintenance failed'),
  });
  started.defer(() => {
    snapshots.giveUp();
    return maintenance.stop();
  });

  const opening = Promise.withResolvers<boolean>();
  const routes = routesOf(services, config.parameters.fundingMode);
  const server = await createServer({ services, routes, logger, opened: opening.promise, isCurrent });
  addStreamRoute(server, services, hub);
  started.defer(() => closeServer(server, hub, deps.drainMs ?? DRAIN_MS));
  // An exchange that cannot listen writes nothing; until it is ready, requests wait.
  started.defer(() => opening.resolve(false));
  await server.listen({ host: config.host, port: config.port });

  await putInForce(sequencer, state, config);
  // The oracle samples prints for the expiries it knows, so it has to know them before the first print (ORA-1).
  await maintenance.begin();
  opening.resolve(true);
  const running = started.move();
  return {
    url: urlOf(config.host, server),
    verification: verifier.implementation,
    stop: once(() => running.disposeAsync()),
  };
}

/** A stop has its limit in time, which a state of 100,000 accounts with long histories may not fit into. */
async function saveLast(snapshots: Snapshots, logger: Logger): Promise<void> {
  try {
    await snapshots.save(LAST_SNAPSHOT_MS);
  } catch (error) {
    if (!(error instanceof SnapshotLateError)) throw error;
    logger.warn('no snapshot of this stop, for want of time; the next start replays from an earlier one');
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

/** How entries are written: a log of another format holds what this node would misread. */
const LOG_FORMAT = '2';

/** A log that was stamped before formats were is of the first. */
async function checkFormat(log: Log): Promise<void> {
  const stamp = await log.readStamp();
  const stored = stamp.size === 0 ? LOG_FORMAT : (stamp.get('format') ?? '1');
  if (stored === LOG_FORMAT) return;
  throw new LogOpenError(
    `the log is of format ${stored} and this version reads format ${LOG_FORMAT}; start afresh with another VENUE_LOG`,
  );
}

/** What can never change on one log (MODE-1, FINE-4). */
function stampOf({ parameters }: Config): ReadonlyMap<string, string> {
  const { fundingMode, marginPremium } = parameters;
  return new Map([
    ['format', LOG_FORMAT],
    ['fundingMode', fundingMode],
    ['marginPremium', marginPremium],
  ]);
}

const CLOCK_BEHIND_MS = 1_000;

/** A clock that was set back stands still for the venue: nothing falls stale, expires or is settled meanwhile. */
function warnOfClock(state: State, clock: () => number, logger: Logger): void {
  const behindMs = state.ts - clock();
  if (behindMs > CLOCK_BEHIND_MS)
    logger.warn({ behindMs }, 'the clock is behind the log, whose time stands still until it has caught up');
}

/** The log's time never goes back, so the next entry is no older than the last one. */
function clockOf(state: State, clock: () => number): () => number {
  return () => Math.max(state.ts, clock());
}

function withTape(effects: Effects, tape: Tape): Effects {
  return {
    filled: (account, fill) => effects.filled(account, fill),
    printed: (print) => {
      tape.add(print);
      effects.printed(print);
    },
    accountChanged: (account) => effects.accountChanged(account),
    ordersChanged: (account) => effects.ordersChanged(account),
    spotMoved: (symbol) => effects.spotMoved(symbol),
  };
}

async function replay(
  sequencer: Sequencer,
  { log, state, logger }: { log: Log; state: State; logger: Logger },
): Promise<void> {
  const { seq: head } = await log.head();
  const startedAt = performance.now();
  const progress = setInterval(() => logger.info({ seq: state.seq, head }, 'replaying'), PROGRESS_MS);
  try {
    const entries = await sequencer.replay();
    logger.info({ entries, ms: Math.round(performance.now() - startedAt) }, 'replayed');
  } finally {
    clearInterval(progress);
  }
}

/** Appends the parameters of the environment where the state has others (FINE-4). */
async function putInForce(sequencer: Sequencer, state: State, { parameters }: Config): Promise<void> {
  if (isDeepStrictEqual(state.parameters, parameters)) return;
  await sequencer.submit({ kind: 'configure', parameters }, (outcome) => {
    if (isRefused(outcome)) throw new Error(`the log refuses the configuration: ${outcome.refusal}`);
    if (outcome.conflict) throw new Error(`the log has another ${outcome.conflict}, which can never change`);
  });
}

type ServicePart = 'state' | 'now' | 'isCurrent' | 'sequencer' | 'verifier' | 'tape';

interface ServiceParts extends Pick<Services, ServicePart> {
  readonly config: Config;
}

function createServices({ config, ...parts }: ServiceParts): Services {
  const { now } = parts;
  return {
    ...parts,
    signingRequired: config.signingRequired,
    challenges: new Challenges({ now, randomBytes }),
    tokens: new Tokens({ now, randomBytes, secret: config.tokenSecret ?? randomBytes(TOKEN_SECRET_BYTES) }),
    credentials: new Credentials(config.secrets),
    wideSearches: new WaitingLine(WIDE_SEARCHES_MAX),
  };
}

async function closeServer(server: FastifyInstance, hub: StreamHub, drainMs: number): Promise<void> {
  const cutOff = setTimeout(() => {
    hub.dropAll();
    server.server.closeAllConnections();
  }, drainMs);
  hub.stop();
  // Stops listening alone; the close of an HTTP server hangs up on idle clients at once.
  Server.prototype.close.call(server.server);
  await untilNobodyAsks(server);
  // The close itself ends idle connections alone; one that was busy then would be kept alive after its answer.
  const hangUp = setInterval(() => hangUpOnIdle(server), HANG_UP_MS);
  await hangUpOnIdle(server);
  await server.close();
  clearInterval(hangUp);
  clearTimeout(cutOff);
}

async function untilNobodyAsks({ server }: FastifyInstance): Promise<void> {
  const beganMs = performance.now();
  let askedMs = beganMs;
  server.on('request', () => {
    askedMs = performance.now();
  });
  let nowMs = beganMs;
  while (nowMs - askedMs < LEAVE_MS && nowMs - beganMs < LEAVE_MS_MAX) {
    await sleep(HANG_UP_MS);
    nowMs = performance.now();
  }
}

/** Comes right after the event loop has read what had arrived, so that nobody's request lies there unread. */
async function hangUpOnIdle({ server }: FastifyInstance): Promise<void> {
  await afterReading();
  server.closeIdleConnections();
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
