/**
 * Exchanges on a PostgreSQL cluster managed by Patroni and etcd, set up from deploy/patroni, whose primary is lost in
 * various ways while clients trade:
 *
 *   node tests/faults/patroni.ts --rounds 20 --faults power,pause,crash,orphan
 *
 * `--lease shipped` waits as long as the shipped configuration does before a primary is replaced, `short` not half of it.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { atLeast } from '../../packages/exchange/sim/options.ts';
import { judgeNodes, served } from './cluster.ts';
import { Crowd } from './crowd.ts';
import { Evidence } from './evidence.ts';
import { finish, say, share } from './figures.ts';
import { NodeProcess } from './node-process.ts';
import { chosen, runScript } from './options.ts';
import { PatroniCluster, whyNoPatroni } from './patroni-cluster.ts';
import { PATRONI_FAULTS, type PatroniFault, type PatroniVenue } from './patroni-faults.ts';
import type { Lease } from './patroni-machine.ts';

export interface PatroniOptions {
  readonly faults: readonly PatroniFault[];
  /** Number of faults, which take turns. */
  readonly rounds: number;
  readonly lease: Lease;
  /** Called with a one-line report of each round. */
  readonly onReport?: (line: string) => void;
}

export interface PatroniRound {
  readonly fault: PatroniFault;
  /** The longest time without an acknowledged write. */
  readonly silentMs: number;
  /** From the fault until two standbys follow one primary again. */
  readonly wholeMs: number;
}

export interface PatroniResult {
  readonly faults: readonly string[];
  readonly rounds: readonly PatroniRound[];
  readonly acknowledged: number;
  readonly entries: number;
  readonly rewinds: number;
}

const NODES = 2;
const TRADERS = 6;
const CLIENT_TIMEOUT_MS = 3_000;
const SHIPPED = fileURLToPath(new URL('../../deploy/patroni/patroni.yml', import.meta.url));

/** For tests, which must be fast; too short for machines that stall for seconds. */
const SHORT_LEASE: Lease = { ttl: 8, loop_wait: 1, retry_timeout: 3 };

function shippedLease(): Lease {
  const { ttl, loop_wait, retry_timeout } = parse(readFileSync(SHIPPED, 'utf8')).bootstrap.dcs;
  return { ttl, loop_wait, retry_timeout };
}

/** Causes each of the faults once, and asserts that none of them lost or doubled anything. */
export async function survivesLosses(
  t: Pick<TestContext, 'diagnostic'>,
  faults: readonly PatroniFault[],
): Promise<void> {
  const onReport = (line: string) => t.diagnostic(line);
  const result = await runPatroni({ faults, rounds: faults.length, lease: SHORT_LEASE, onReport });
  assert.deepEqual(result.faults, []);
  assert.deepEqual(
    result.rounds.map(({ fault }) => fault),
    faults,
  );
}

/** Causes the faults in turn on a new cluster, then judges the result. Ends everything it started. */
export async function runPatroni(options: PatroniOptions): Promise<PatroniResult> {
  await using ending = new AsyncDisposableStack();
  const patroni = await PatroniCluster.start(options.lease);
  ending.defer(() => patroni.remove());
  const nodes = await Promise.all(Array.from({ length: NODES }, () => NodeProcess.at(patroni.url)));
  ending.defer(() => {
    for (const node of nodes) node.end();
  });
  for (const node of nodes) await node.start();
  const urls = nodes.map(({ url }) => url);
  const crowd = await Crowd.gather({ urls, traders: TRADERS, timeoutMs: CLIENT_TIMEOUT_MS });
  ending.defer(() => crowd.abandon());
  const venue = { patroni, nodes, crowd, faults: [], ttl: options.lease.ttl };
  try {
    return await befall(venue, options);
  } catch (error) {
    // Its machines are gone when the test's witnesses are asked.
    const logs = patroni.machines.map((machine) => `${machine.name}: ${machine.lastWords()}`);
    throw new Error([(error as Error).message, ...logs].join('\n'), { cause: error });
  }
}

async function befall(
  venue: PatroniVenue,
  { rounds: count, faults: kinds, onReport = () => {} }: PatroniOptions,
): Promise<PatroniResult> {
  const { patroni, crowd, faults } = venue;
  crowd.start();
  const rounds: PatroniRound[] = [];
  while (rounds.length < count) {
    const round = await cause(kinds[rounds.length % kinds.length]!, venue);
    onReport(
      `${round.fault}: ${round.silentMs} ms without an acknowledgement, whole again after ${round.wholeMs} ms`,
    );
    rounds.push(round);
  }
  await crowd.stop();
  const evidence = new Evidence(patroni.urlOf(await patroni.whole()));
  await judgeNodes(venue, evidence);
  faults.push(...evidence.faults(crowd.writes), ...crowd.faults);
  return {
    faults,
    rounds,
    acknowledged: crowd.acknowledgements,
    entries: evidence.state.seq,
    rewinds: patroni.rewinds(),
  };
}

async function cause(fault: PatroniFault, venue: PatroniVenue): Promise<PatroniRound> {
  const { crowd, patroni } = venue;
  await served(venue);
  const primary = await patroni.whole();
  const fromMs = performance.now();
  await PATRONI_FAULTS[fault](venue, primary);
  await patroni.whole();
  const wholeMs = Math.round(performance.now() - fromMs);
  crowd.goHome();
  await served(venue);
  return { fault, silentMs: crowd.outage(fromMs, performance.now()).venueMs, wholeMs };
}

function summary(rounds: readonly PatroniRound[]): string[] {
  const kinds = [...new Set(rounds.map(({ fault }) => fault))];
  return kinds.map((kind) => {
    const ofKind = rounds.filter(({ fault }) => fault === kind);
    const figures = (name: 'silentMs' | 'wholeMs') => {
      const ascending = ofKind.map((round) => round[name]).sort((a, b) => a - b);
      return `median ${share(ascending, 0.5)} ms, longest ${share(ascending, 1)} ms`;
    };
    return `${kind}, ${ofKind.length} times: without an acknowledgement ${figures('silentMs')}; whole again ${figures('wholeMs')}`;
  });
}

if (import.meta.main)
  await runScript({ rounds: '20', faults: 'power,pause,crash,orphan', lease: 'shipped' }, async (values) => {
    const options = {
      rounds: atLeast(1, 'rounds', values.rounds),
      faults: chosen(Object.keys(PATRONI_FAULTS) as PatroniFault[], 'faults', values.faults),
      lease:
        chosen(['shipped', 'short'], 'lease', values.lease)[0] === 'shipped' ? shippedLease() : SHORT_LEASE,
      onReport: say,
    };
    const why = whyNoPatroni();
    if (why !== undefined) {
      say(`not run: ${why}`);
      return;
    }
    const { rounds, acknowledged, entries, rewinds, faults } = await runPatroni(options);
    for (const line of summary(rounds)) say(line);
    say(`${acknowledged} writes acknowledged; the log has ${entries} entries; ${rewinds} servers rewound`);
    finish(faults);
  });
