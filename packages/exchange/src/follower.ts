/** Wires the parts of a follower: a node without its writing half (FOL-1). */

import { setTimeout as sleep } from 'node:timers/promises';
import type { FundingMode } from '@venue/engine';
import { LogOpenError, type ReadOnlyLog } from '@venue/log';
import { followerRefusal } from '@venue/protocol';
import { checkStamp } from '@venue/replay';
import { NO_SECRETS } from './auth/credentials.ts';
import type { FollowerConfig } from './config.ts';
import {
  applierOptions,
  type CoreDeps,
  coreOf,
  metricsSourceOf,
  replay,
  type Served,
  served,
  servicesOf,
} from './core.ts';
import { followerRoutes } from './edge/follower-routes.ts';
import { Applier } from './entries/applier.ts';
import { Anchoring } from './history/anchoring.ts';
import { HttpError } from './http/errors.ts';
import type { Route } from './http/route.ts';

const LOOK_AGAIN_MS = 50;

export interface FollowerDeps extends CoreDeps {
  readonly config: FollowerConfig;
}

export interface Follower extends Served {
  readonly anchoring: Anchoring;
}

/**
 * Replays the log and follows it. Rejects with `LogOpenError`, where nothing was ever written to the log too, with
 * `ConfigError`, or with the error of the replay.
 */
export async function assembleFollower(deps: FollowerDeps): Promise<Follower> {
  const { config, log, metrics } = deps;
  const fundingMode = await stampedMode(log);
  const core = await coreOf(deps);
  const { state } = core;
  await replay(new Applier(applierOptions(deps, core)), deps, core);
  metrics.watch(metricsSourceOf(deps, core));
  const refusal = followerRefusal(config.nodeUrl);
  // No route that appends is carried out; one that did would append nothing.
  const refuse = () => {
    throw new HttpError(refusal);
  };
  const services = servicesOf(deps, core, {
    sequencer: { submit: async () => refuse() },
    acceptClock: refuse,
    signingRequired: true,
    takesSimulatedPrices: false,
    secrets: NO_SECRETS,
    operators: [],
    isShared: false,
  });
  const anchoring = new Anchoring({ history: core.history, state, logger: deps.logger });
  const doors = {
    services,
    fundingMode,
    routed: (routes: readonly Route[]) => followerRoutes(routes, refusal),
    // The first node of a log is still at its first entries.
    prepare: async () => {
      while (state.parameters === null) await sleep(LOOK_AGAIN_MS);
      anchoring.begin();
    },
  };
  return { ...served(deps, core, doors), anchoring };
}

async function stampedMode(log: ReadOnlyLog): Promise<FundingMode> {
  await checkStamp(log);
  const mode = (await log.readStamp()).get('fundingMode');
  if (mode === undefined)
    throw new LogOpenError(
      'nothing was ever written to the log; start the exchange that writes it, then its followers',
    );
  return mode as FundingMode;
}
