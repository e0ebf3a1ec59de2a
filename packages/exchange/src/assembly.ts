/** Wires the parts of a node: log, engine, edge. The only place that does so, for real and simulated nodes alike. */

import { parametersOf, type State } from '@venue/engine';
import { type Log, LogClockError } from '@venue/log';
import { checkStamp, stampOf } from '@venue/replay';
import type { Config } from './config.ts';
import {
  applierOptions,
  type Core,
  type CoreDeps,
  coreOf,
  metricsSourceOf,
  replay,
  type Served,
  served,
  servicesOf,
} from './core.ts';
import type { Applied } from './entries/applier.ts';
import { putInForce } from './entries/configuration.ts';
import { DeadlineTimer } from './entries/deadline-timer.ts';
import { FeatureLevels } from './entries/feature-levels.ts';
import { MaintenanceTimer } from './entries/maintenance-timer.ts';
import { Sequencer } from './entries/sequencer.ts';
import type { Logger } from './observe/logger.ts';
import { Snapshots, type TakenSnapshot } from './snapshots/snapshots.ts';
import { unknownHolidays } from './views/market-hours.ts';

/** The dependencies that differ between kinds of nodes. */
export interface NodeDeps extends CoreDeps {
  readonly config: Config;
  readonly log: Log;
  readonly takeSnapshot: (state: State, signal: AbortSignal) => Promise<TakenSnapshot>;
  /** The most a start may have to replay before another snapshot is due. */
  readonly replayLimitMs: number;
}

/** A node that has replayed its log and follows it, but has not written anything and does not listen. */
export interface Node extends Served {
  readonly snapshots: Snapshots;
  readonly maintenanceTimer: MaintenanceTimer;
  readonly deadlineTimer: DeadlineTimer;
  /**
   * Puts the configuration in force and runs the first maintenance tick. Requests that arrived earlier are answered
   * then.
   */
  open(): Promise<void>;
}

/**
 * Stamps and replays the log. Rejects with `LogOpenError`, `StampConflictError`, `ConfigError`, or the error of the
 * replay.
 */
export async function assembleNode(deps: NodeDeps): Promise<Node> {
  const { config, log, logger, metrics } = deps;
  await checkStamp(log);
  await log.writeStamp(stampOf(config.parameters));
  const core = await coreOf(deps);
  const { state, traces, clockWatch, now } = core;
  const snapshots = snapshotsOf(deps, core);
  const sequencer = new Sequencer({
    ...applierOptions(deps, core, (applied) => {
      noteApplied(snapshots, applied, logger);
      deadlineTimer.applied();
    }),
    ...{ log, traces },
    onRefused: () => maintenanceTimer.refused(),
  });
  const deadlineTimer = new DeadlineTimer({ state, sequencer, now });
  await replay(sequencer, deps, core);

  const { randomBytes } = deps;
  const configured = { sequencer, state, logger, randomBytes };
  const firstFeatureLevel = () => featureLevels.first();
  const configure = () => putInForce(config.parameters, { ...configured, firstFeatureLevel });
  const featureLevels = new FeatureLevels({ ...configured, log, onRaised: configure });
  const maintenanceTimer = maintenanceTimerOf(deps, core, { sequencer, featureLevels, snapshots });
  log.onFlushed((flush) => {
    metrics.flushed(flush);
    traces?.flushed(flush);
  });
  metrics.watch(metricsSourceOf(deps, core));
  watchWriting(deps, { sequencer, snapshots, featureLevels });
  const prepare = async () => {
    clockWatch.warnOfGap(state.ts, now());
    await clockWatch.untilRight();
    await configure();
    await featureLevels.begin();
    warnIfUnbound(state, logger);
    warnOfBookMarks(state, logger);
    warnOfHolidays(state, logger, now());
    // The oracle samples prints only for known expiries, so they must be listed before the first print (ORA-1).
    await maintenanceTimer.begin();
    deadlineTimer.begin();
  };
  const services = servicesOf(deps, core, {
    sequencer,
    signingRequired: config.signingRequired,
    takesSimulatedPrices: config.takesSimulatedPrices,
    acceptClock: (by) => {
      logger.warn({ operator: by }, 'an operator says that the clock of this node is right');
      log.acceptClock();
    },
    secrets: config.secrets,
    operators: config.operators,
    isShared: log.isShared && config.tokenSecret !== null,
  });
  const { fundingMode } = config.parameters;
  const doors = { services, fundingMode, prepare };
  return { ...served(deps, core, doors), snapshots, maintenanceTimer, deadlineTimer };
}

/** A ledger that is bound to no vault credits deposits of any, even of a worthless one (CUS-1). */
function warnIfUnbound(state: State, logger: Logger): void {
  if (parametersOf(state).fundingMode === 'deposits' && state.custody.binding === null)
    logger.warn('the ledger is bound to no vault and takes deposits of any: run "venue operator bind"');
}

/** The contract's marks are set by the owner of the best order, and margin calls rest on them (RSK-1). */
function warnOfBookMarks(state: State, logger: Logger): void {
  const { fundingMode, riskMark } = parametersOf(state);
  if (fundingMode === 'deposits' && riskMark === 'book')
    logger.warn(
      'marks come from the books, so one absurd order of a stranger in a thin book can call the shorts of others and have them bought back: set VENUE_RISK_MARK=model',
    );
}

/** `sessionOpen` falls back to plain weekdays past the last year whose holidays are known (SESS-OPEN). */
function warnOfHolidays(state: State, logger: Logger, nowMs: number): void {
  const line = unknownHolidays(
    parametersOf(state).symbols.map(({ assetClass }) => assetClass),
    nowMs,
  );
  if (line !== null) logger.warn(line);
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

function noteApplied(snapshots: Snapshots, applied: Applied, logger: Logger): void {
  snapshots.applied(applied);
  if (applied.isReplay) snapshots.saveIfDueInReplay().catch((err) => sayUnsaved(logger, err));
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

function watchWriting({ log, metrics }: NodeDeps, { sequencer, snapshots, featureLevels }: Ticked): void {
  metrics.watchWriting({
    isWritable: () => log.status().writable,
    pendingCount: () => sequencer.pendingCount,
    snapshotSeq: () => snapshots.savedSeq,
    snapshotAgeMs: () => snapshots.savedAgeMs,
    replayMs: () => snapshots.replayMs,
    nodesWaitedFor: () => featureLevels.waitingCount,
  });
}
