/** Runs the attestor from its start to its stop. */

import { ConfigError } from '@venue/config';
import { VenueClient } from '@venue/sdk';
import { whileServing } from '@venue/telemetry';
import type { Chain } from '../chain/chain.ts';
import { Finality } from '../chain/finality.ts';
import { chainAt, statusLog } from '../chain/servers.ts';
import type { AttestorConfig } from '../daemon/config.ts';
import { checkExchange } from '../daemon/exchange-checks.ts';
import { runRounds } from '../daemon/rounds.ts';
import type { StepHook } from '../daemon/state-file.ts';
import { Attestor } from './attestor.ts';
import { AttestorMetrics } from './metrics.ts';

export interface RunAttestorOptions {
  readonly config: AttestorConfig;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
  /** Called after each step. */
  readonly onStep?: StepHook;
}

/** A call must not delay a stop for longer than this. */
const EXCHANGE_TIMEOUT_MS = 4_000;

/**
 * Answers the parked approvals of contract wallets until the signal aborts (CUS-19). It keeps nothing: what it has not
 * answered is still parked at the exchange when it starts again, and two of them do no harm. Waits for a chain or an
 * exchange that is down. Throws `ConfigError` for a start that cannot succeed.
 */
export async function runAttestor(options: RunAttestorOptions): Promise<void> {
  const metrics = new AttestorMetrics();
  const log = metrics.counting(options.log);
  await whileServing(options.config.metricsPort, metrics.registry, () =>
    attest({ ...options, log }, metrics),
  );
}

async function attest(
  { config, signal, log, onStep = () => {} }: RunAttestorOptions,
  metrics: AttestorMetrics,
): Promise<void> {
  const chain = chainAt(config.rpcUrls, signal);
  const client = new VenueClient({ url: config.url, timeoutMs: EXCHANGE_TIMEOUT_MS });
  const status = statusLog(chain, log);
  const attestor = new Attestor({
    chain,
    chainId: config.chainId,
    exchange: client.custody(config.credential.secret),
    finality: new Finality(chain, config.confirmations, log),
    metrics,
    log: status,
    onStep,
  });
  status(`answering for contract wallets on chain ${config.chainId} at ${chain.hosts} for ${config.url}`);
  let isChecked = false;
  await runRounds({ round, signal, log, metrics });
  log('stopped');

  async function round(): Promise<number> {
    if (!isChecked) {
      await checkChain(chain, config);
      await checkExchange(client, config.credential, (custody) => custody.parked());
      isChecked = true;
    }
    await attestor.round();
    return config.pollMs;
  }
}

/** Throws `ConfigError` for another chain: a contract there says nothing about its namesake here. */
async function checkChain(chain: Chain, { chainId }: AttestorConfig): Promise<void> {
  const actual = await chain.chainId();
  if (actual !== chainId)
    throw new ConfigError(
      `VENUE_CHAIN_ID is ${chainId}, but the RPC at ${chain.hosts} is of chain ${actual}`,
    );
}
