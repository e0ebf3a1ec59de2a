/**
 * Faults of nodes and database, each a function that returns once the fault is over and every node is healthy again.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Cut, PostgresProxy } from '../../packages/log/test/postgres-proxy.ts';
import { eventually } from '../e2e/launched.ts';
import type { Venue } from './cluster.ts';
import { type Shown, Witness } from './witness.ts';

export type ClusterFault = 'restart' | 'kill' | 'pause' | 'drop' | 'failover';

/** In execution order: a primary that was killed does not come back. */
export const CLUSTER_FAULTS: Readonly<Record<ClusterFault, (venue: Venue) => Promise<void>>> = {
  restart: restartNodes,
  kill: killNodes,
  pause: pauseNode,
  drop: dropConnections,
  failover: killPrimary,
};

const DOWN_MS = 500;
/** The others serve meanwhile, so the venue is silent for far less. */
export const PAUSE_MS = 15_000;
const CUTS: readonly Cut[] = ['before', 'during', 'after'];
const CUTS_PER_ROUND = 15;
/** The node that reaches the primary through the proxy. */
const PROXIED = 0;
/** One cut in this many also ends every connection of every node. */
const TERMINATE_EVERY = 6;

/** SIGTERM of one node after the other, while the others serve: nobody gets a 500. */
async function restartNodes({ nodes, crowd, scale, faults }: Venue): Promise<void> {
  const before = crowd.counts().internalErrors;
  for (let i = 0; i < scale * nodes.length; i += 1) {
    const node = nodes[i % nodes.length]!;
    await node.stop();
    await node.start();
    crowd.goHome();
  }
  const refused = crowd.counts().internalErrors - before;
  if (refused > 0) faults.push(`${refused} writes were answered 500 during a rolling restart`);
}

/** kill -9 of one node after the other. */
async function killNodes({ nodes, crowd, scale }: Venue): Promise<void> {
  for (let i = 0; i < scale * nodes.length; i += 1) {
    const node = nodes[i % nodes.length]!;
    await sleep(Math.random() * DOWN_MS);
    await node.kill();
    await sleep(DOWN_MS);
    await node.start();
    crowd.goHome();
  }
}

/** A paused node answers 500 until it has caught up, and never from stale state. */
async function pauseNode({ nodes, scale, faults, others }: Venue): Promise<void> {
  const witness = await Witness.open(nodes[0]!.url);
  for (let i = 0; i < Math.ceil(scale / 2); i += 1) {
    const [paused, other] = [nodes[(i + 1) % nodes.length]!, nodes[i % nodes.length]!];
    const asking = await witness.connect(paused.url);
    const over = paused.pause(PAUSE_MS);
    await sleep(PAUSE_MS / 2);
    others.push(await witness.rest(other.url));
    const answers = asking.ask();
    await over;
    faults.push(...staleAnswers(await answers, witness.orders));
    await paused.untilAnswering();
    asking.close();
  }
}

/** `answers` holds a status other than 200, or the number of orders shown. */
function staleAnswers(answers: readonly Shown[], orders: number): string[] {
  const stale = answers.filter((answer) => typeof answer === 'object' && answer.orders < orders);
  const refused = answers.filter((answer) => answer === 500);
  return [
    ...stale.map(() => 'after a pause a node answered from before it'),
    ...(refused.length === 0 ? [`after a pause no answer was 500: ${JSON.stringify(answers)}`] : []),
  ];
}

/** Connections of one node are lost before, during and after a commit, and occasionally all of them. */
async function dropConnections({ postgres, proxy, crowd, scale, faults }: Venue): Promise<void> {
  const answered = crowd.counts().internalErrors;
  for (let i = 0; i < CUTS_PER_ROUND * scale; i += 1) {
    const before = cutsOf(proxy);
    proxy.arm(CUTS[i % CUTS.length]!);
    await eventually('an append is cut', () => cutsOf(proxy) > before);
    if (i % TERMINATE_EVERY === 0)
      await postgres.primary.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'venue%'`,
      );
    await crowd.untilServed(1, { node: PROXIED });
  }
  if (crowd.counts().internalErrors > answered)
    faults.push('a lost connection to the database was answered 500');
}

function cutsOf({ cuts }: PostgresProxy): number {
  return cuts.values().reduce((sum, count) => sum + count, 0);
}

/** The primary dies as if its machine did, and the most advanced standby is promoted. */
async function killPrimary({ postgres }: Venue): Promise<void> {
  await postgres.primary.kill();
  await postgres.promote();
}
