/** Wires the parts of a node: log, engine, edge. The only place that does so, for real and simulated nodes alike. */

import type { Server } from 'node:http';
import { type Effects, parametersOf, type State } from '@venue/engine';
import { type Log, LogClockError } from '@venue/log';
import { checkStamp, stampOf, type Verifier } from '@venue/replay';
import type { Tracing } from '@venue/telemetry';
import { Challenges } from './auth/challenges.ts';
import { Credentials } from './auth/credentials.ts';
import { WIDE_SEARCHES_MAX } from './auth/signed-write.ts';
import { Tokens } from './auth/tokens.ts';
import { WaitingLine } from './auth/waiting-line.ts';
import type { Config } from './config.ts';
import { putInForce, sayConfigured } from './entries/configuration.ts';
import { FeatureLevels } from './entries/feature-levels.ts';
import { MaintenanceTimer } from './entries/maintenance-timer.ts';
import { Sequencer } from './entries/sequencer.ts';
import { refuseUnknownSkips } from './entries/skips.ts';
import type { History } from './history/history.ts';
import { startState } from './history/start.ts';
import type { HistoryStore } from './history/store.ts';
import { channelDoor } from './http/channel-route.ts';
import { createEdge } from './http/edge.ts';
import type { Route } from './http/route.ts';
import { routesOf } from './http/routes/index.ts';
import type { Services } from './http/services.ts';
import { streamDoor } from './http/stream-route.ts';
import { ClockWatch } from './observe/clock-watch.ts';
import { EntryTraces } from './observe/entry-traces.ts';
import type { Logger } from './observe/logger.ts';
import type { Answered, Metrics } from './observe/metrics.ts';
import { Readiness } from './observe/readiness.ts';
import type { TradingMetrics } from './observe/trading-metrics.ts';
import { Snapshots, type TakenSnapshot } from './snapshots/snapshots.ts';
import { ChannelHub } from './stream/channels/hub.ts';
import { StreamHub } from './stream/hub.ts';
import { AccountPages } from './views/account-pages.ts';
import { MarketPages } from './views/market-pages.ts';
import { Tape } from './views/tape.ts';

const PROGRESS_MS = 1_000;
/** A node that has lost touch with its log for this long answers nobody, because other nodes may have moved on. */
const OUT_OF_TOUCH_MS = 5_000;
/** For a secret that nobody set: each start makes a new one, which invalidates all tokens. */
const TOKEN_SECRET_BYTES = 32;

/** The dependencies that differ between kinds of nodes. */
export interface NodeDeps {
  readonly config: Config;
  /** An open log; whoever opened it closes it. */
  readonly log: Log;
  /** Opened and closed by the caller. Without it there are no statements. */
  readonly historyStore?: HistoryStore | undefined;
  readonly verifier: Verifier;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Without it, nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly takeSnapshot: (state: State, signal: AbortSignal) => Promise<TakenSnapshot>;
  /** The most a start may have to replay before another snapshot is due. */
  readonly replayLimitMs: number;
  /** The clock that tells how long applying takes, ms; by default the monotonic one. */
  readonly monotonicMs?: () => number;
  /** Called once when the node can no longer be trusted; the process must then exit. */
  readonly onFatal: (error: Error) => void;
}

/** A node that has replayed its log and follows it, but has not written anything and does not listen. */
export interface Node {
  readonly state: State;
  /** Entry of the snapshot it started from; 0 without one. */
  readonly snapshotSeq: number;
  /** Whether it may answer requests. */
  readonly isCurrent: () => boolean;
  /** Every route of the server. */
  readonly routes: readonly Route[];
  readonly server: Server;
  readonly hub: StreamHub;
  readonly channels: ChannelHub;
  readonly history: History | null;
  readonly snapshots: Snapshots;
  readonly maintenanceTimer: MaintenanceTimer;
  /**
   * Puts the configuration in force and runs the first maintenance tick. Requests that arrived earlier are answered
   * then.
   */
  open(): Promise<void>;
  /** Refuses the waiting requests if the node never opened. */
  giveUp(): void;
  /** Marks the node not ready, so that it is sent no more requests. It keeps answering. */
  drain(): void;
}

/**
 * Stamps and replays the log. Rejects with `LogOpenError`, `StampConflictError`, `ConfigError`, or the error of the
 * replay.
 */
export async function assembleNode(deps: NodeDeps): Promise<Node> {
  const core = await coreOf(deps);
  const { state, history, now, isCurrent, clockWatch, phase } = core;
  const { seq: snapshotSeq } = state;
  const hub = hubOf(deps, core);
  const channels = channelsOf(deps, core);
  const snapshots = snapshotsOf(deps, core);
  const onRefused = () => maintenanceTimer.refused();
  const sequencer = sequencerOf(deps, core, { hub, channels, snapshots, onRefused });
  history?.start();
  await replay(sequencer, { log: deps.log, state, logger: deps.logger });

  const { log, logger, randomBytes } = deps;
  const configured = { sequencer, state, logger, randomBytes };
  const firstFeatureLevel = () => featureLevels.first();
  const configure = () => putInForce(deps.config.parameters, { ...configured, firstFeatureLevel });
  const featureLevels = new FeatureLevels({ ...configured, log, onRaised: configure });
  const maintenanceTimer = maintenanceTimerOf(deps, core, { sequencer, featureLevels, snapshots });
  watchWithMetrics(deps, core, { sequencer, hub, channels, snapshots, featureLevels });
  const opening = Promise.withResolvers<boolean>();
  const services = servicesOf(deps, core, sequencer);
  const edge = edgeOf(deps, core, { services, hub, channels, opened: opening.promise });
  const open = async () => {
    clockWatch.warnOfGap(state.ts, now());
    await clockWatch.untilRight();
    await configure();
    await featureLevels.begin();
    warnIfUnbound(state, logger);
    warnOfBookMarks(state, logger);
    // The oracle samples prints only for known expiries, so they must be listed before the first print (ORA-1).
    await maintenanceTimer.begin();
    phase.isOpen = true;
    opening.resolve(true);
  };
  const giveUp = () => opening.resolve(false);
  const drain = () => {
    phase.isDraining = true;
  };
  const parts = { ...edge, hub, channels, history, snapshots, maintenanceTimer };
  return { state, snapshotSeq, isCurrent, ...parts, open, giveUp, drain };
}

/** A ledger that is bound to no vault credits deposits of any, even of a worthless one (CUS-1). */
function warnIfUnbound(state: State, logger: Logger): void {
  if (parametersOf(state).fundingMode === 'deposits' && state.custody.binding === null)
    logger.warn('the ledger is bound to no vault and takes deposits of any: run "venue operator bind"');
}

/** The contract's marks are set by whoever holds the best order, and margin calls rest on them (RSK-1). */
function warnOfBookMarks(state: State, logger: Logger): void {
  const { fundingMode, riskMark = 'book' } = parametersOf(state);
  if (fundingMode === 'deposits' && riskMark === 'book')
    logger.warn(
      'marks come from the books, so one absurd order of a stranger in a thin book can call the shorts of others and have them bought back: set VENUE_RISK_MARK=model',
    );
}

/** The parts that all others depend on: the state, its clock, its views, and whether the node may answer. */
interface Core {
  readonly state: State;
  readonly history: History | null;
  /** Unix milliseconds, never before the last entry. */
  readonly now: () => number;
  readonly clockWatch: ClockWatch;
  readonly phase: Phase;
  readonly readiness: Readiness;
  readonly isCurrent: () => boolean;
  readonly traces: EntryTraces | undefined;
  readonly tape: Tape;
  readonly accountPages: AccountPages;
}

/** The stage of a node between start and stop. */
interface Phase {
  isOpen: boolean;
  isDraining: boolean;
}

async function coreOf({ config, log, logger, clock, historyStore, tracing }: NodeDeps): Promise<Core> {
  await checkStamp(log);
  await log.writeStamp(stampOf(config.parameters));
  const { state, history } = await startState({ log, logger, store: historyStore });
  refuseUnknownSkips(config.skipSeqs, (await log.head()).seq);
  const clockWatch = new ClockWatch(log, logger);
  const phase: Phase = { isOpen: false, isDraining: false };
  const readiness = readinessOf(log, clockWatch, phase);
  return {
    ...{ state, history, clockWatch, phase, readiness },
    now: clockOf(state, clock),
    isCurrent: () => readiness.isCurrent,
    traces: tracing && new EntryTraces(tracing),
    tape: new Tape(),
    accountPages: new AccountPages(),
  };
}

function readinessOf(log: Log, clockWatch: ClockWatch, phase: Phase): Readiness {
  const readiness = new Readiness();
  readiness.watch({
    reason: 'out of touch with the log',
    effect: 'silences',
    holds: () => log.status().lastContactMs >= OUT_OF_TOUCH_MS,
  });
  readiness.watch({ reason: 'clock', effect: 'silences', holds: () => !clockWatch.check() });
  readiness.watch({
    reason: 'no room for the log',
    effect: 'fails',
    holds: () => !log.status().writable,
  });
  readiness.watch({ reason: 'starting', effect: 'silences', holds: () => !phase.isOpen });
  readiness.watch({ reason: 'draining', effect: 'leaves', holds: () => phase.isDraining });
  return readiness;
}

function hubOf({ config }: NodeDeps, { state, now, isCurrent, traces }: Core): StreamHub {
  const onSent = traces && ((clients: number) => traces.framesSent(clients));
  return new StreamHub({ state, now, tickMs: config.wsTickMs, isCurrent, ...(onSent && { onSent }) });
}

function snapshotsOf({ log, takeSnapshot, replayLimitMs }: NodeDeps, { state, history }: Core): Snapshots {
  return new Snapshots({
    log,
    state,
    take: (signal) => takeSnapshot(state, signal),
    limitMs: replayLimitMs,
    durable: async (seq) => history?.durable(seq),
  });
}

function channelsOf({ config }: NodeDeps, { state, now, isCurrent, tape }: Core): ChannelHub {
  return new ChannelHub({ state, tape, now, tickMs: config.streamTickMs, isCurrent });
}

interface Followers {
  readonly hub: StreamHub;
  readonly channels: ChannelHub;
  readonly snapshots: Snapshots;
  readonly onRefused: () => void;
}

function sequencerOf(
  { config, log, logger, metrics, monotonicMs, onFatal }: NodeDeps,
  { state, history, traces, tape, accountPages }: Core,
  { hub, channels, snapshots, onRefused }: Followers,
): Sequencer {
  const { trading } = metrics;
  return new Sequencer({
    log,
    state,
    effects: withViews([hub.effects, channels.effects], { tape, accountPages, history, trading }),
    ...(history !== null && { replayEffects: history.effects }),
    skipSeqs: config.skipSeqs,
    ...(history !== null && { onEntry: () => history.appliedEntry() }),
    onApplied: (applied) => {
      snapshots.applied(applied);
      if (applied.isReplay) snapshots.saveIfDueInReplay().catch((err) => sayUnsaved(logger, err));
      history?.applied();
      metrics.applied(applied);
    },
    onConfigured: (change) => sayConfigured(logger, change),
    onDecided: (kind, outcome) => trading.decided(kind, outcome),
    onRefused,
    ...{ traces, monotonicMs, onFatal },
  });
}

function sayUnsaved(logger: Logger, err: unknown): void {
  logger.error({ err }, 'no snapshot was saved; trying again later');
}

interface Ticked {
  readonly sequencer: Sequencer;
  readonly featureLevels: FeatureLevels;
  readonly snapshots: Snapshots;
}

function maintenanceTimerOf(
  { config, logger }: NodeDeps,
  { now }: Core,
  { sequencer, featureLevels, snapshots }: Ticked,
): MaintenanceTimer {
  return new MaintenanceTimer({
    sequencer,
    intervalMs: config.parameters.maintenanceMs,
    now,
    onTick: () => {
      featureLevels
        .check()
        .catch((err) => logger.warn({ err }, 'who else is on the log could not be seen; trying again'));
      // No tick waits for the snapshot: on a large state it takes half a minute.
      snapshots.saveIfDue().catch((err) => sayUnsaved(logger, err));
    },
    onError: (err) => {
      // The clock watch reports clock errors itself.
      if (!(err instanceof LogClockError)) logger.error({ err }, 'maintenance failed');
    },
  });
}

function watchWithMetrics(
  { log, metrics, verifier }: NodeDeps,
  { state, now, isCurrent, readiness, traces }: Core,
  { sequencer, hub, channels, snapshots, featureLevels }: Ticked & Pick<Followers, 'hub' | 'channels'>,
): void {
  log.onFlushed((flush) => {
    metrics.flushed(flush);
    traces?.flushed(flush);
  });
  metrics.watch({
    ...{ state, now, isCurrent },
    isReady: () => readiness.isReady,
    logStatus: () => log.status(),
    pendingCount: () => sequencer.pendingCount,
    signaturesWaiting: () => verifier.waiting,
    streamClients: () => hub.clientCount + channels.clientCount,
    snapshotSeq: () => snapshots.savedSeq,
    snapshotAgeMs: () => snapshots.savedAgeMs,
    replayMs: () => snapshots.replayMs,
    nodesWaitedFor: () => featureLevels.waitingCount,
  });
}

interface Served {
  readonly services: Services;
  readonly hub: StreamHub;
  readonly channels: ChannelHub;
  /** Requests wait for it. */
  readonly opened: Promise<boolean>;
}

function edgeOf(
  { config, logger, metrics, tracing }: NodeDeps,
  { isCurrent, clockWatch }: Core,
  { services, hub, channels, opened }: Served,
): Pick<Node, 'routes' | 'server'> {
  const { fundingMode } = config.parameters;
  const requests = routesOf(services, fundingMode, config.terminal);
  const onAnswered = (answered: Answered) => metrics.answered(answered);
  const streams = [
    streamDoor(services, hub),
    channelDoor({ services, hub: channels, routes: requests, logger, isCurrent, onAnswered, tracing }),
  ];
  const routes = [...requests, ...streams.map(({ route }) => route)];
  const isHeldUp = () => !clockWatch.check();
  const server = createEdge({
    ...{ services, routes, streams, logger, opened, isHeldUp, isCurrent, onAnswered, tracing },
  });
  return { routes, server };
}

/** The log's time never goes back, so the next entry is no older than the last one (OWN-19). */
function clockOf(state: State, clock: () => number): () => number {
  return () => Math.max(state.ts, clock());
}

interface Viewers extends Pick<Services, 'tape' | 'accountPages'>, Pick<Node, 'history'> {
  readonly trading: TradingMetrics;
}

/** Notifies the views and the history first, because what clients are sent is made from them. */
function withViews(
  [stream, channels]: readonly [StreamHub['effects'], ChannelHub['effects']],
  { tape, accountPages, history, trading }: Viewers,
): Effects {
  return {
    filled: (account, fill, cashMicros) => {
      history?.effects.filled(account, fill, cashMicros);
      trading.filled(fill);
      stream.filled(account, fill, cashMicros);
      channels.filled(account, fill, cashMicros);
    },
    cashMoved: (account, movement) => history?.effects.cashMoved(account, movement),
    orderOpened: (order) => {
      history?.effects.orderOpened(order);
      channels.orderOpened(order);
    },
    comboOpened: (combo) => {
      history?.effects.comboOpened(combo);
      channels.comboOpened(combo);
    },
    orderAmended: (order) => {
      history?.effects.orderAmended(order);
      channels.orderAmended(order);
    },
    orderClosed: (account, orderId, cause) => {
      history?.effects.orderClosed(account, orderId, cause);
      channels.orderClosed(account, orderId, cause);
    },
    printed: (print) => {
      history?.effects.printed(print);
      tape.add(print);
      trading.printed(print);
      stream.printed(print);
      channels.printed(print);
    },
    accountChanged: (account) => {
      stream.accountChanged(account);
      channels.accountChanged(account);
    },
    ordersChanged: (account) => {
      accountPages.ordersChanged(account);
      stream.ordersChanged(account);
      channels.ordersChanged(account);
    },
    spotMoved: (symbol) => {
      history?.effects.spotMoved(symbol);
      stream.spotMoved(symbol);
    },
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

function servicesOf(
  { config, log, verifier, metrics, randomBytes }: NodeDeps,
  { state, now, readiness, tape, accountPages, history }: Core,
  sequencer: Sequencer,
): Services {
  const secret = config.tokenSecret ?? randomBytes(TOKEN_SECRET_BYTES);
  const isShared = log.isShared && config.tokenSecret !== null;
  return {
    ...{ state, now, readiness, sequencer, verifier, tape, metrics, accountPages, history },
    signingRequired: config.signingRequired,
    acceptClock: () => log.acceptClock(),
    challenges: new Challenges({ state, now, randomBytes, secret, isShared }),
    tokens: new Tokens({ now, randomBytes, secret }),
    credentials: new Credentials(config.secrets, config.metricsToken),
    wideSearches: new WaitingLine(WIDE_SEARCHES_MAX),
    wideSignIns: new WaitingLine(WIDE_SEARCHES_MAX),
    pages: new MarketPages(),
  };
}
