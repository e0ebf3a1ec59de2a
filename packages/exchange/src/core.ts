/** The parts that a node and a follower share: the state that a log makes, its views, streams and doors. */

import type { Server } from 'node:http';
import type { NamedOperator } from '@venue/config';
import type { FundingMode, State } from '@venue/engine';
import type { ReadOnlyLog } from '@venue/log';
import type { Verifier } from '@venue/replay';
import type { Tracing } from '@venue/telemetry';
import { Challenges } from './auth/challenges.ts';
import { Credentials, type Secrets } from './auth/credentials.ts';
import { WIDE_SEARCHES_MAX } from './auth/signed-write.ts';
import { Tokens } from './auth/tokens.ts';
import { WaitingLine } from './auth/waiting-line.ts';
import type { ServingConfig } from './config.ts';
import { channelDoor } from './edge/channel-route.ts';
import { createEdge } from './edge/edge.ts';
import { streamDoor } from './edge/stream-route.ts';
import type { Applied, Applier, ApplierOptions } from './entries/applier.ts';
import { sayConfigured } from './entries/configuration.ts';
import { Oversteps } from './entries/oversteps.ts';
import { refuseUnknownSkips } from './entries/skips.ts';
import type { DailyFiles } from './files/daily-files.ts';
import type { History } from './history/history.ts';
import { startState } from './history/start.ts';
import type { HistoryStore } from './history/store.ts';
import type { Route } from './http/route.ts';
import { routesOf } from './http/routes/index.ts';
import type { Services } from './http/services.ts';
import { tellAll } from './listeners.ts';
import { ClockWatch } from './observe/clock-watch.ts';
import { EntryTraces } from './observe/entry-traces.ts';
import type { Logger } from './observe/logger.ts';
import type { Answered, Metrics, MetricsSource } from './observe/metrics.ts';
import { Readiness } from './observe/readiness.ts';
import { reasonsOf } from './openapi/reasons.ts';
import { ChannelHub } from './stream/channels/hub.ts';
import { EntryWaits } from './stream/entry-waits.ts';
import { StreamHub } from './stream/hub.ts';
import { AccountPages } from './views/account-pages.ts';
import { CurveThread } from './views/curve-thread.ts';
import { DayTrades } from './views/day-trades.ts';
import { MarketPages } from './views/market-pages.ts';
import { Tape } from './views/tape.ts';
import { Tickers } from './views/tickers.ts';

const PROGRESS_MS = 1_000;
/** A node that has lost touch with its log for this long answers nobody, because others may have moved on. */
const OUT_OF_TOUCH_MS = 5_000;
/** For a secret that nobody set: each start makes a new one, which invalidates all tokens. */
const TOKEN_SECRET_BYTES = 32;

/** The dependencies that differ between kinds of nodes and of followers. */
export interface CoreDeps {
  readonly config: ServingConfig;
  /** An open log; its opener closes it. */
  readonly log: ReadOnlyLog;
  /** Opened and closed by the caller. Without it there are no statements. */
  readonly historyStore?: HistoryStore | undefined;
  /** Followed and stopped by the caller. Without them none are served. */
  readonly files?: DailyFiles | undefined;
  readonly verifier: Verifier;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Without it, nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The clock that tells how long applying takes, ms; by default the monotonic one. */
  readonly monotonicMs?: () => number;
  /** Called once when the node can no longer be trusted; the process must then exit. */
  readonly onFatal: (error: Error) => void;
}

/** One that has replayed its log and follows it, but does not listen. */
export interface Served {
  readonly state: State;
  /** Entry of the snapshot it started from; 0 without one. */
  readonly snapshotSeq: number;
  /** Returns true while it may answer requests. */
  readonly isCurrent: () => boolean;
  /** Every route of the server. */
  readonly routes: readonly Route[];
  readonly server: Server;
  readonly hub: StreamHub;
  readonly channels: ChannelHub;
  readonly waits: EntryWaits;
  readonly history: History | null;
  /** Answers from now on, first the requests that arrived earlier. */
  open(): Promise<void>;
  /** Refuses the waiting requests if it never opened. */
  giveUp(): void;
  /** Marks it not ready, so that it is sent no more requests. It keeps answering. */
  drain(): void;
}

/** The parts that all others depend on: the state, its clock, its views, and whether it may answer. */
export interface Core {
  readonly state: State;
  readonly snapshotSeq: number;
  readonly history: History | null;
  /** Unix milliseconds, never before the last entry. */
  readonly now: () => number;
  readonly clockWatch: ClockWatch;
  readonly phase: Phase;
  readonly readiness: Readiness;
  readonly isCurrent: () => boolean;
  readonly traces: EntryTraces | undefined;
  readonly tape: Tape;
  readonly dayTrades: DayTrades;
  readonly tickers: Tickers;
  readonly accountPages: AccountPages;
  readonly waits: EntryWaits;
  readonly hub: StreamHub;
  readonly channels: ChannelHub;
}

/** The stage between start and stop. */
interface Phase {
  isOpen: boolean;
  isDraining: boolean;
}

/** Restores the state from which the replay begins. The log bears the stamp already. */
export async function coreOf(deps: CoreDeps): Promise<Core> {
  const { config, log, logger, clock, historyStore, tracing } = deps;
  const { state, history } = await startState({ log, logger, store: historyStore });
  refuseUnknownSkips(config.skipSeqs, (await log.head()).seq);
  const clockWatch = new ClockWatch(log, logger);
  const phase: Phase = { isOpen: false, isDraining: false };
  const readiness = readinessOf(log, clockWatch, phase);
  const traces = tracing && new EntryTraces(tracing);
  const now = clockOf(state, clock);
  const isCurrent = () => readiness.isCurrent;
  const tape = new Tape();
  const dayTrades = new DayTrades({ state, history });
  const tickers = new Tickers(state, dayTrades);
  const onSent = traces && ((clients: number) => traces.framesSent(clients));
  return {
    ...{ state, snapshotSeq: state.seq, history, clockWatch, phase, readiness, now, isCurrent, traces, tape },
    ...{ dayTrades, tickers },
    accountPages: new AccountPages(),
    waits: new EntryWaits(),
    hub: new StreamHub({ state, now, tickMs: config.wsTickMs, isCurrent, ...(onSent && { onSent }) }),
    channels: new ChannelHub({ state, tape, tickers, now, tickMs: config.streamTickMs, isCurrent }),
  };
}

function readinessOf(log: ReadOnlyLog, clockWatch: ClockWatch, phase: Phase): Readiness {
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

/** Returns the options of the applier, which calls `onApplied` before it notifies anything else of an entry. */
export function applierOptions(
  { config, log, logger, metrics, monotonicMs, onFatal }: CoreDeps,
  { state, history, tape, dayTrades, accountPages, waits, hub, channels }: Core,
  onApplied: (applied: Applied) => void = () => {},
): ApplierOptions {
  const { trading } = metrics;
  return {
    log,
    state,
    effects: tellAll([
      // First the views and the history, because what clients are sent is made from them.
      ...(history === null ? [] : [history.effects]),
      { filled: (_, fill) => trading.filled(fill), printed: (print) => trading.printed(print) },
      ...[tape, dayTrades, accountPages, hub.effects, channels.effects],
    ]),
    ...(history !== null && { replayEffects: history.effects }),
    skipSeqs: config.skipSeqs,
    ...(history !== null && { onEntry: () => history.appliedEntry() }),
    onApplied: (applied) => {
      onApplied(applied);
      history?.applied();
      metrics.applied(applied);
      waits.applied();
    },
    onConfigured: (change) => sayConfigured(logger, change),
    onDecided: (kind, outcome) => trading.decided(kind, outcome),
    ...{ monotonicMs, onFatal },
  };
}

/** Has the history begin, applies what the log has, and follows it from then on. */
export async function replay(
  applier: Applier,
  { log, logger }: CoreDeps,
  { state, history }: Core,
): Promise<void> {
  history?.start();
  const { seq: head } = await log.head();
  const startedAt = performance.now();
  const progress = setInterval(() => logger.info({ seq: state.seq, head }, 'replaying'), PROGRESS_MS);
  try {
    const entries = await applier.replay();
    logger.info({ entries, ms: Math.round(performance.now() - startedAt) }, 'replayed');
  } finally {
    clearInterval(progress);
  }
}

/** Connects the gauges that nodes and followers share. */
export function metricsSourceOf(
  { log, verifier }: CoreDeps,
  { state, now, isCurrent, readiness, hub, channels }: Core,
): MetricsSource {
  return {
    ...{ state, now, isCurrent },
    isReady: () => readiness.isReady,
    logStatus: () => log.status(),
    signaturesWaiting: () => verifier.waiting,
    streamClients: () => hub.clients.size + channels.clients.size,
  };
}

export interface Writing
  extends Pick<Services, 'sequencer' | 'signingRequired' | 'takesSimulatedPrices' | 'acceptClock'> {
  readonly secrets: Secrets;
  readonly operators: readonly NamedOperator[];
  /** True if other nodes may have issued a challenge. */
  readonly isShared: boolean;
}

export function servicesOf(
  { config, verifier, metrics, randomBytes, files }: CoreDeps,
  { state, now, readiness, tape, tickers, accountPages, history }: Core,
  { secrets, operators, isShared, ...writing }: Writing,
): Services {
  const secret = config.tokenSecret ?? randomBytes(TOKEN_SECRET_BYTES);
  return {
    ...{ state, now, readiness, verifier, tape, tickers, metrics, accountPages, history, ...writing },
    files: files ?? null,
    showsSimulatedPast: config.showsSimulatedPast,
    listReasons: reasonsOf,
    challenges: new Challenges({ state, now, randomBytes, secret, isShared }),
    tokens: new Tokens({ now, randomBytes, secret }),
    credentials: new Credentials(secrets, config.metricsToken, operators),
    oversteps: new Oversteps({ sequencer: writing.sequencer, now }),
    wideSearches: new WaitingLine(WIDE_SEARCHES_MAX),
    wideSignIns: new WaitingLine(WIDE_SEARCHES_MAX),
    curveThread: new CurveThread(),
    pages: new MarketPages(),
  };
}

export interface Doors {
  readonly services: Services;
  readonly fundingMode: FundingMode;
  /** Resolves once everything is ready to be opened. */
  readonly prepare: () => Promise<void>;
  /** Changes the routes; by default they stay as they are. */
  readonly routed?: (routes: readonly Route[]) => readonly Route[];
}

/** Puts the doors before a core. */
export function served(deps: CoreDeps, core: Core, doors: Doors): Served {
  const { state, snapshotSeq, isCurrent, hub, channels, waits, history, phase } = core;
  const opening = Promise.withResolvers<boolean>();
  return {
    ...{ state, snapshotSeq, isCurrent, hub, channels, waits, history },
    ...edgeOf(deps, core, { ...doors, opened: opening.promise }),
    open: async () => {
      await doors.prepare();
      phase.isOpen = true;
      opening.resolve(true);
    },
    giveUp: () => opening.resolve(false),
    drain: () => {
      phase.isDraining = true;
    },
  };
}

function edgeOf(
  { config, logger, metrics, tracing }: CoreDeps,
  { isCurrent, clockWatch, hub, channels, waits }: Core,
  { services, fundingMode, routed = (all) => all, opened }: Doors & { readonly opened: Promise<boolean> },
): Pick<Served, 'routes' | 'server'> {
  const requests = routed(routesOf(services, fundingMode, config.terminal));
  const onAnswered = (answered: Answered) => metrics.answered(answered);
  const streams = [
    streamDoor(services, hub),
    channelDoor({ services, hub: channels, waits, routes: requests, logger, isCurrent, onAnswered, tracing }),
  ];
  const routes = [...requests, ...streams.map(({ route }) => route)];
  const isHeldUp = () => !clockWatch.check();
  const server = createEdge({
    ...{ services, routes, streams, logger, opened, isHeldUp, isCurrent, onAnswered, tracing, waits },
  });
  server.once('close', () => void services.curveThread.close());
  return { routes, server };
}

/** The log's time never goes back, so the next entry is no older than the last one (OWN-19). */
function clockOf(state: State, clock: () => number): () => number {
  return () => Math.max(state.ts, clock());
}
