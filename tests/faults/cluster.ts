/**
 * Several exchanges on one PostgreSQL log, a primary with two synchronous standbys, under all their faults while
 * clients trade on all of them:
 *
 *   node tests/faults/cluster.ts --nodes 3 --scale 3 --faults restart,kill,pause,drop,failover
 */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { atLeast } from '../../packages/exchange/sim/options.ts';
import { PostgresCluster } from '../../packages/log/test/postgres-cluster.ts';
import { PostgresProxy } from '../../packages/log/test/postgres-proxy.ts';
import { whyNoPostgres } from '../../packages/log/test/postgres-server.ts';
import { CLUSTER_FAULTS, type ClusterFault, PAUSE_MS } from './cluster-faults.ts';
import { Crowd, type Outage } from './crowd.ts';
import { Evidence } from './evidence.ts';
import { finish, say } from './figures.ts';
import { stopAndCheck } from './judge.ts';
import { NodeProcess } from './node-process.ts';
import { chosen, runScript } from './options.ts';
import { wrongAccountsShown } from './shown.ts';
import type { Counts } from './trader.ts';
import type { Write } from './write.ts';

export interface ClusterOptions {
  readonly nodes: number;
  readonly faults: readonly ClusterFault[];
  /** Multiplies the shortest run: how long each fault lasts, or how often it occurs. */
  readonly scale: number;
  /** Called with a one-line report of each fault. */
  readonly onReport?: (line: string) => void;
}

/** The effect of one fault on the traders. */
export interface FaultReport {
  readonly fault: ClusterFault;
  readonly outage: Outage;
  /** While it lasted. */
  readonly acknowledged: number;
  readonly counts: Counts;
}

export interface ClusterResult {
  readonly faults: readonly string[];
  readonly reports: readonly FaultReport[];
  readonly entries: number;
  readonly acknowledged: number;
}

/** The target of each fault. */
export interface Venue {
  readonly postgres: PostgresCluster;
  /** Between the first node and the primary. */
  readonly proxy: PostgresProxy;
  readonly nodes: readonly NodeProcess[];
  readonly crowd: Crowd;
  readonly scale: number;
  /** Violations, in sentences. */
  readonly faults: string[];
  /** Writes besides the crowd's. */
  readonly others: Write[];
}

const TRADERS_PER_NODE = 3;
/** A client gives up on a node that does not answer within this time, and goes to the next. */
const CLIENT_TIMEOUT_MS = 3_000;
/** Acknowledgements required from each node before and after a fault. */
const SERVED = 20;

/** Causes every fault, and asserts that none of them lost or doubled anything. */
export async function survivesFaults(
  t: Pick<TestContext, 'diagnostic'>,
  options: Pick<ClusterOptions, 'nodes' | 'scale'>,
): Promise<void> {
  const faults = Object.keys(CLUSTER_FAULTS) as ClusterFault[];
  const result = await runCluster({ ...options, faults, onReport: (line) => t.diagnostic(line) });
  assert.deepEqual(result.faults, []);
  assert.deepEqual(
    result.reports.map(({ fault }) => fault),
    faults,
  );
  for (const report of result.reports)
    assert.ok(report.fault !== 'pause' || report.outage.venueMs < PAUSE_MS, reportLine(report));
}

/** Causes the faults in sequence on a new cluster, then judges the result. Ends everything it started. */
export async function runCluster(options: ClusterOptions): Promise<ClusterResult> {
  await using ending = new AsyncDisposableStack();
  const postgres = await PostgresCluster.start({ standbys: 2 });
  ending.defer(() => postgres.remove());
  const proxy = await PostgresProxy.open(postgres.primary.port);
  ending.defer(() => proxy.close());
  const urls = Array.from({ length: options.nodes }, (_, i) =>
    i === 0 ? proxy.via(postgres.url()) : postgres.url(),
  );
  const nodes = await Promise.all(urls.map((url) => NodeProcess.at(url)));
  ending.defer(() => {
    for (const node of nodes) node.end();
  });
  for (const node of nodes) await node.start();
  const traders = TRADERS_PER_NODE * nodes.length;
  const crowd = await Crowd.gather({
    urls: nodes.map(({ url }) => url),
    traders,
    timeoutMs: CLIENT_TIMEOUT_MS,
  });
  ending.defer(() => crowd.abandon());
  const { scale } = options;
  return await trade(options, { postgres, proxy, nodes, crowd, scale, faults: [], others: [] });
}

async function trade(
  { faults: kinds, onReport = () => {} }: ClusterOptions,
  venue: Venue,
): Promise<ClusterResult> {
  const { crowd, postgres, faults, others } = venue;
  crowd.start();
  const reports: FaultReport[] = [];
  for (const fault of kinds) {
    await served(venue);
    const report = await cause(fault, venue);
    onReport(reportLine(report));
    reports.push(report);
  }
  await crowd.stop();
  const evidence = new Evidence(postgres.url());
  await judgeNodes(venue, evidence);
  faults.push(...evidence.faults([...crowd.writes, ...others]), ...crowd.faults);
  return { faults, reports, entries: evidence.state.seq, acknowledged: crowd.acknowledgements };
}

async function cause(fault: ClusterFault, venue: Venue): Promise<FaultReport> {
  const { crowd } = venue;
  const [before, acknowledgedBefore] = [crowd.counts(), crowd.acknowledgements];
  const fromMs = performance.now();
  await CLUSTER_FAULTS[fault](venue);
  crowd.goHome();
  await served(venue);
  const counts = crowd.counts();
  for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] -= before[name];
  const outage = crowd.outage(fromMs, performance.now());
  return { fault, outage, acknowledged: crowd.acknowledgements - acknowledgedBefore, counts };
}

/** Nodes and their clients. */
export type Served = Pick<Venue, 'nodes' | 'crowd' | 'faults'>;

/** Waits until every node acknowledges writes. */
export async function served({ nodes, crowd }: Served): Promise<void> {
  for (const node of nodes.keys()) await crowd.untilServed(SERVED, { node });
}

/**
 * Checks that every node accepts every token and shows every account as in the log; then stops each, and checks that
 * its snapshot equals a replay to that entry.
 */
export async function judgeNodes({ nodes, crowd, faults }: Served, evidence: Evidence): Promise<void> {
  for (const { url } of nodes)
    faults.push(...(await wrongAccountsShown({ url, traders: crowd.traders, evidence })));
  for (const node of nodes) {
    faults.push(...(await stopAndCheck(node, evidence)));
  }
}

/** One line for a person. */
export function reportLine(report: FaultReport): string {
  const { fault, outage, acknowledged, counts } = report;
  const { refusedConnections, brokenConnections, timeouts, internalErrors } = counts;
  return [
    `${fault}: longest without an acknowledgement ${outage.venueMs} ms at all, ${outage.nodesMs.join('/')} ms by node`,
    `${acknowledged} acknowledged, ${refusedConnections} connections refused, ${brokenConnections} broken, ${timeouts} timed out, ${internalErrors} answers of 500`,
  ].join('; ');
}

if (import.meta.main)
  await runScript({ nodes: '3', scale: '3', faults: 'all' }, async (values) => {
    const options = {
      // A fault of one node is observed from another.
      nodes: atLeast(2, 'nodes', values.nodes),
      scale: atLeast(1, 'scale', values.scale),
      faults: chosen(Object.keys(CLUSTER_FAULTS) as ClusterFault[], 'faults', values.faults),
      onReport: say,
    };
    const why = whyNoPostgres();
    if (why !== undefined) {
      say(`not run: PostgreSQL cannot run here: ${why}`);
      return;
    }
    const result = await runCluster(options);
    say(`${result.acknowledged} writes acknowledged; the log has ${result.entries} entries`);
    finish(result.faults);
  });
