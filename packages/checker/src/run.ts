/** Runs the checker from its start to its stop. */

import type { FollowOptions } from '@venue/audit';
import { ConfigError } from '@venue/config';
import { parseAddress } from '@venue/protocol';
import { whileServing } from '@venue/telemetry';
import {
  Announcements,
  Finality,
  GateSender,
  openGate,
  openKey,
  Proposals,
  runRounds,
  statusLog,
} from '@venue/vault/parts';
import { AnnouncedWatch } from './announced.ts';
import { AttestedApprovals } from './attested.ts';
import { ChainEvents } from './chain-events.ts';
import { Checker } from './checker.ts';
import type { CheckerConfig } from './config.ts';
import { Copy } from './copy.ts';
import { CheckerMetrics } from './metrics.ts';
import { Objector } from './objector.ts';
import { OwnVotes } from './own-votes.ts';
import { ProvenFile } from './proven.ts';
import { CheckerFile } from './state.ts';

export interface RunCheckerOptions {
  readonly config: CheckerConfig;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
  /** Checks the signatures of the log in the place of a thread, and is left open. */
  readonly verifier?: FollowOptions['verifier'];
}

/**
 * Recomputes from its own copy of the log whatever the gate is asked to commit, and vetoes what does not follow, until
 * the signal aborts (CUS-18). Throws `ConfigError` for a start that cannot succeed, `LogToolError` for a copy that cannot
 * be read.
 */
export async function runChecker(options: RunCheckerOptions): Promise<void> {
  const metrics = new CheckerMetrics();
  const log = metrics.counting(options.log);
  await whileServing(options.config.metricsPort, metrics.registry, () => check({ ...options, log }, metrics));
}

async function check(
  { config, signal, log, verifier }: RunCheckerOptions,
  metrics: CheckerMetrics,
): Promise<void> {
  const { gate, addresses } = await openGate(config.deployment, config.rpcUrls);
  const key = await openKey(config.key, signal);
  if (!(await gate.guardians()).includes(key.address))
    throw new ConfigError(`the key of ${key.address} is not that of a guardian of the gate ${gate.address}`);
  const vault = parseAddress(addresses.vault)!;
  const { chainId, blockNumber: fromBlock } = addresses;
  const { seen, feeMaxWei, statePath } = config;
  const place = { chainId, gate: gate.address };
  const file = new CheckerFile(statePath, place);
  const proven = new ProvenFile({ path: `${statePath}.proven`, place, key, seen, log });
  const copy = await Copy.open({ spec: config.copy, file: proven, log, verifier });
  try {
    const checker = new Checker({
      ...{ gate, vault, chainId, copy, config },
      proposals: new Proposals({ gate, fromBlock }),
      announced: new AnnouncedWatch({
        ...{ gate, seen, metrics, log },
        announcements: new Announcements({ gate, fromBlock }),
      }),
      attested: new AttestedApprovals({ chain: gate.chain, chainId, file, seen, log }),
      objector: new Objector({
        ...{ gate, log },
        sender: new GateSender({ gate, key, feeMaxWei, log }),
        votes: new OwnVotes(gate, key.address, fromBlock),
      }),
      events: new ChainEvents({ chain: gate.chain, vault, fromBlock }),
      finality: new Finality(gate.chain, config.confirmations, log),
      ...{ log, status: statusLog(gate.chain, log) },
    });
    log(`checking the gate ${gate.address} on chain ${chainId} as the guardian ${key.address}`);
    await runRounds({ round: () => checker.round(), signal, log, metrics });
    log('stopped');
  } finally {
    await copy.close();
  }
}
