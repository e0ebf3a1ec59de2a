/** Nodes of the log on a primary with two synchronous standbys. */

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@venue/log';
import { openPostgresLog, type PostgresLogOptions } from '@venue/log/postgres';
import { range } from '../../packages/log/test/behaviour-tools.ts';
import { checkAgreement, NodeDiary, settled } from '../../packages/log/test/many-nodes.ts';
import { PostgresCluster } from '../../packages/log/test/postgres-cluster.ts';
import { createDatabase } from '../../packages/log/test/postgres-server.ts';

/** How long a client pauses between two appends: several are under way at any moment, yet the machine keeps up. */
const PAUSE_MS = 10;

export type Loss = 'kill' | 'pause' | 'stop';

/** A cluster, and for each test a database of its own. */
export class ClusterNodes {
  cluster!: PostgresCluster;
  database = '';
  logs: Log[] = [];
  warnings: string[] = [];

  async start(): Promise<void> {
    this.cluster = await PostgresCluster.start({ standbys: 2 });
  }

  async create(): Promise<void> {
    this.database = await createDatabase(this.cluster.primary);
    this.logs = [];
    this.warnings = [];
  }

  async close(): Promise<void> {
    for (const log of this.logs) await log.close();
  }

  async remove(): Promise<void> {
    await this.cluster.remove();
  }

  sql(text: string, server = this.cluster.primary): Promise<unknown[][]> {
    return server.sql(text, this.database);
  }

  async open(url = this.cluster.url(this.database), options: Partial<PostgresLogOptions> = {}): Promise<Log> {
    const onWarning = (text: string) => this.warnings.push(text);
    const log = await openPostgresLog({ url, onWarning, ...options });
    this.logs.push(log);
    return log;
  }

  async node(url?: string): Promise<NodeDiary> {
    return NodeDiary.begin(await this.open(url));
  }

  /** Keeps several clients on every node busy until the returned function is called. */
  load(nodes: readonly NodeDiary[]): () => Promise<void> {
    let isOver = false;
    // Also where the test fails before it ends the load.
    after(() => {
      isOver = true;
    });
    const clients = nodes.flatMap((one, n) =>
      range(1, 6).map(async (client) => {
        for (let i = 0; !isOver; i++) {
          await one.append(`${n}.${client}.${i}`);
          await sleep(PAUSE_MS);
        }
      }),
    );
    return async () => {
      isOver = true;
      await Promise.all(clients);
    };
  }

  /** Loses the primary under load: every acknowledged entry is there once, on every node. */
  async failOver(how: Loss): Promise<void> {
    const nodes = [await this.node(), await this.node()];
    const end = this.load(nodes);
    await sleep(1_000);
    const old = this.cluster.primary;
    await old[how]();
    await this.cluster.promote();
    const before = nodes.map(({ acknowledged }) => acknowledged.size);
    while (nodes.some(({ acknowledged }, n) => acknowledged.size < before[n]! + 100)) await sleep(5);
    // The old one returns and still considers itself the primary, which nobody may believe.
    if (how === 'pause') old.resume();
    await sleep(2_000);
    await end();
    await settle(nodes);
    for (const { log } of nodes) assert.equal(await Promise.race([log.failed, 'trusted']), 'trusted');
  }
}

/** Waits until the nodes are level, and asserts that they agree. */
export async function settle(nodes: readonly NodeDiary[]): Promise<void> {
  await settled(nodes);
  checkAgreement(nodes);
}
