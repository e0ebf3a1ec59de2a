/** `--check` of every process: whether it could start in an environment. Each check loads its own process alone. */

import type { Environment, Finding } from '@venue/config';
import type { FeedOptions } from '@venue/feed';
import { checkClient } from '../base/check.ts';

export const CHECKS = {
  exchange: async (env: Environment) => {
    const { checkExchange } = await import('@venue/exchange');
    return checkExchange(await withTerminal(env));
  },
  follower: async (env: Environment) => {
    const { checkFollower } = await import('@venue/exchange');
    return checkFollower(await withTerminal(env));
  },
  feed: checkFeed,
  maker: async (env: Environment) =>
    checkClient('maker', env, (await import('@venue/maker')).loadMakerConfig),
  crowd: async (env: Environment) =>
    checkClient('crowd', env, (await import('@venue/crowd')).loadCrowdConfig),
  watcher: async (env: Environment) =>
    checkClient('watcher', env, (await import('@venue/vault')).loadWatcherConfig),
  batcher: async (env: Environment) =>
    checkClient('batcher', env, (await import('@venue/vault')).loadBatcherConfig),
  attestor: async (env: Environment) =>
    checkClient('attestor', env, (await import('@venue/vault')).loadAttestorConfig),
  checker: async (env: Environment) =>
    checkClient('checker', env, (await import('@venue/checker')).loadCheckerConfig),
  push: async (env: Environment) => checkClient('push', env, (await import('@venue/push')).loadPushConfig),
} satisfies Readonly<Record<string, (env: Environment) => Promise<Finding[]>>>;

/** The pages that a start would serve. */
async function withTerminal(env: Environment): Promise<Environment> {
  return (await import('./web-terminal.ts')).withMadeTerminal(env);
}

/** The source of prices that the options of the command name; otherwise the environment does. */
export type NamedSource = Pick<FeedOptions, 'recording' | 'live' | 'seed'>;

async function checkFeed(env: Environment, named: NamedSource = {}): Promise<Finding[]> {
  const { checkSource, chosenSource, loadFeedConfig } = await import('@venue/feed');
  const findings = checkClient('feed', env, loadFeedConfig);
  if (findings.some(({ ok }) => !ok)) return findings;
  const config = loadFeedConfig(env);
  return [...findings, await checkSource(config, chosenSource({ config, ...named }))];
}
