/** Runs the payout batcher from its start to its stop. */

import { ConfigError } from '@venue/config';
import type { Address } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { whileServing } from '@venue/telemetry';
import { Finality } from '../chain/finality.ts';
import { chainAt } from '../chain/servers.ts';
import type { BatcherConfig } from '../daemon/config.ts';
import { checkExchange } from '../daemon/exchange-checks.ts';
import { runRounds } from '../daemon/rounds.ts';
import { StateFile, type StepHook } from '../daemon/state-file.ts';
import { checkFromBlock, checkHeight, checkVault, partyLines } from '../deploy/start-checks.ts';
import { Vault } from '../events/vault.ts';
import { VaultFlows } from '../events/vault-flows.ts';
import { Gate } from '../gate/gate.ts';
import { OwnBatches } from '../gate/own-batches.ts';
import { openKey } from '../keys/open.ts';
import { sourceName } from '../keys/source.ts';
import { Batcher } from './batcher.ts';
import { CommitHistory } from './commit-history.ts';
import type { Committer } from './committer.ts';
import { DirectCommitter } from './direct-committer.ts';
import { GateCommitter } from './gate-committer.ts';
import { BatcherMetrics } from './metrics.ts';
import { Noting } from './noting.ts';
import { Opener } from './opener.ts';
import { Reports } from './reports.ts';
import { Signer } from './signer.ts';
import { type BatcherState, readState } from './state.ts';
import { Tracker } from './tracker.ts';

export interface RunBatcherOptions {
  readonly config: BatcherConfig;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
  /** Called after each step. */
  readonly onStep?: StepHook;
}

/** A call must not delay a stop for longer than this. */
const EXCHANGE_TIMEOUT_MS = 4_000;

/**
 * Commits requested payouts on chain and records them at the exchange (PAY-3), until the signal aborts. Waits for a
 * chain or an exchange that is down. Throws `ConfigError` for a start that cannot succeed, and `AlarmError`, after a
 * line that begins with ALARM, if a person has to decide.
 */
export async function runBatcher(options: RunBatcherOptions): Promise<void> {
  const metrics = new BatcherMetrics();
  const log = metrics.counting(options.log);
  await whileServing(options.config.metricsPort, metrics.registry, () => pay({ ...options, log }, metrics));
}

async function pay(options: RunBatcherOptions, metrics: BatcherMetrics): Promise<void> {
  const { config, signal, log } = options;
  const chain = chainAt(config.rpcUrls, signal);
  const vault = new Vault(chain, config.vault);
  const signer = new Signer({ chainId: config.chainId, key: await openKey(config.operatorKey, signal) });
  const client = new VenueClient({ url: config.url, timeoutMs: EXCHANGE_TIMEOUT_MS });
  const file = new StateFile(config.statePath, options.onStep);
  const state = readState(file, { ...config, operator: signer.address });
  log(`paying from vault ${config.vault} on chain ${config.chainId} at ${chain.hosts} for ${config.url}`);
  let batcher: Batcher | null = null;
  await runRounds({ round, signal, log, metrics });
  log('stopped');

  async function round(): Promise<number> {
    batcher ??= compose(options, { vault, signer, client, file, state, metrics, committer: await check() });
    return batcher.round();
  }

  async function check(): Promise<Committer> {
    const parties = await checkVault(vault, config);
    const committer = await committerFor(parties.operator, { vault, signer, config, log });
    await checkHeight(chain, 'VENUE_VAULT_FROM_BLOCK', config.fromBlock);
    const warning = await checkFromBlock(vault, config.fromBlock);
    if (warning !== null) log(warning);
    const last = state.closed.at(-1);
    if (last !== undefined)
      await checkHeight(chain, `the last batch in ${config.statePath}`, last.blockNumber);
    await checkExchange(client, config.credential, (custody) =>
      custody.payouts({ state: 'requested' }).next(),
    );
    for (const line of partyLines(parties)) log(line);
    return committer;
  }
}

/** Throws `ConfigError` if the vault's operator is neither the key nor a gate that takes its proposals. */
async function committerFor(
  operator: Address,
  {
    vault,
    signer,
    config,
    log,
  }: Pick<Wiring, 'vault' | 'signer'> & Pick<RunBatcherOptions, 'config' | 'log'>,
): Promise<Committer> {
  if (operator === signer.address) return new DirectCommitter(config);
  const gate = new Gate(vault.chain, operator);
  const whose = `${sourceName(config.operatorKey)} is the key of ${signer.address}`;
  if (!(await gate.isGate())) throw new ConfigError(`${whose}, but the vault's operator is ${operator}`);
  if (!(await gate.isProposer(signer.address)))
    throw new ConfigError(`${whose}, which may not propose at ${operator}, the gate before the vault`);
  log(`proposing at the gate ${operator}`);
  const own = new OwnBatches({ gate, proposer: signer.address, config });
  return new GateCommitter({ gate, own, config, log });
}

interface Wiring {
  readonly vault: Vault;
  readonly signer: Signer;
  readonly client: VenueClient;
  readonly file: StateFile;
  readonly state: BatcherState;
  readonly metrics: BatcherMetrics;
  readonly committer: Committer;
}

function compose(
  { config, log, onStep = () => {} }: RunBatcherOptions,
  { vault, signer, client, file, state, metrics, committer }: Wiring,
): Batcher {
  const custody = client.custody(config.credential.secret);
  const reports = new Reports(custody, log);
  const venue = {
    payouts: (scope: { state: 'requested' }) => custody.payouts(scope),
    reserves: () => client.market.reserves(),
  };
  const finality = new Finality(vault.chain, config.confirmations, log);
  const noting = new Noting({ sink: custody, vault, config, finality, log, onStep });
  const flows = new VaultFlows({ vault, finality, config }, state.flows);
  const history = new CommitHistory({ vault, finality, config });
  return new Batcher({
    vault,
    signer,
    committer,
    opener: new Opener({
      committer,
      venue,
      vault,
      noting,
      reports,
      history,
      flows,
      signer,
      config,
      log,
      onStep,
    }),
    reports,
    flows,
    tracker: new Tracker({ ...config, vault, finality, operator: signer.address }),
    noting,
    finality,
    file,
    state,
    config,
    log,
    metrics,
    onStep,
  });
}
