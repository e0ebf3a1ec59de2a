/** Runs the deposit watcher from its start to its stop. */

import { VenueClient } from '@venue/sdk';
import { whileServing } from '@venue/telemetry';
import { Finality } from '../chain/finality.ts';
import { LogReader } from '../chain/log-reader.ts';
import { chainAt } from '../chain/servers.ts';
import type { WatcherConfig } from '../daemon/config.ts';
import { checkExchange } from '../daemon/exchange-checks.ts';
import { runRounds } from '../daemon/rounds.ts';
import { StateFile, type StepHook } from '../daemon/state-file.ts';
import { checkFromBlock, checkHeight, checkVault, partyLines } from '../deploy/start-checks.ts';
import { Vault } from '../events/vault.ts';
import { VaultFlows } from '../events/vault-flows.ts';
import { Follower } from './follower.ts';
import { WatcherMetrics } from './metrics.ts';
import { Reconciliation } from './reconciliation.ts';
import { Scanner } from './scanner.ts';
import { freshState, readState } from './state.ts';

export interface RunWatcherOptions {
  readonly config: WatcherConfig;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
  /** Called after each step. */
  readonly onStep?: StepHook;
}

/** A call must not delay a stop for longer than this. */
const EXCHANGE_TIMEOUT_MS = 4_000;

/**
 * Credits every confirmed deposit of the vault at the exchange, once, until the signal aborts (DEP-1). Waits for a
 * chain or an exchange that is down. Throws `ConfigError` for a start that cannot succeed, and `AlarmError`, after a
 * line that begins with ALARM, if a person has to decide.
 */
export async function runWatcher(options: RunWatcherOptions): Promise<void> {
  const metrics = new WatcherMetrics();
  const log = metrics.counting(options.log);
  await whileServing(options.config.metricsPort, metrics.registry, () => watch({ ...options, log }, metrics));
}

async function watch(
  { config, signal, log, onStep = () => {} }: RunWatcherOptions,
  metrics: WatcherMetrics,
): Promise<void> {
  const file = new StateFile(config.statePath, onStep);
  const known = readState(file, config);
  const chain = chainAt(config.rpcUrls, signal);
  const client = new VenueClient({ url: config.url, timeoutMs: EXCHANGE_TIMEOUT_MS });
  const reader = new LogReader(chain, config.chunkBlocks);
  const finality = new Finality(chain, config.confirmations, log);
  const vault = new Vault(chain, config.vault);
  const custody = client.custody(config.credential.secret);
  const flows = new VaultFlows({ vault, finality, config }, known?.flows ?? null);
  const venue = { reserves: () => client.market.reserves(), deposits: () => custody.deposits() };
  const follower = new Follower({
    chain,
    scanner: new Scanner(chain, reader, config.vault),
    sink: custody,
    file,
    state: known ?? freshState(config, config.fromBlock),
    config,
    finality,
    reconciliation: new Reconciliation({ venue, vault, flows, config, log, metrics }),
    flows,
    chunkBlocks: () => reader.chunkBlocks,
    log,
    metrics,
    onStep,
  });
  log(`watching vault ${config.vault} on chain ${config.chainId} at ${chain.hosts} for ${config.url}`);
  let isChecked = false;
  await runRounds({ round, signal, log, metrics });
  log('stopped');

  async function round(): Promise<number> {
    if (!isChecked) await check();
    return follower.round();
  }

  async function check(): Promise<void> {
    const parties = await checkVault(vault, config);
    await checkHeight(chain, 'VENUE_VAULT_FROM_BLOCK', config.fromBlock);
    const warning = await checkFromBlock(vault, config.fromBlock);
    if (warning !== null) log(warning);
    if (known !== undefined) await checkHeight(chain, `the state file ${file.path}`, known.blockNumber);
    await checkExchange(client, config.credential, (custody) => custody.checkDeposits());
    for (const line of partyLines(parties)) log(line);
    isChecked = true;
  }
}
