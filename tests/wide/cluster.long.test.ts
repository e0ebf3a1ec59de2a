/** Real exchanges on one replicated PostgreSQL log, in short; `tests/faults/cluster.ts` has the long run. */

// @seconds 133

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { reportLine, runCluster } from '../faults/cluster.ts';
import type { ClusterFault } from '../faults/cluster-faults.ts';

/**
 * The longest time without an acknowledgement: with one node down, which is far shorter than it is down, and with the
 * database down, which is mostly due to the machine.
 */
const OUTAGE_MS_MAX: Readonly<Record<ClusterFault, number>> = {
  restart: 20_000,
  kill: 20_000,
  pause: 14_000,
  drop: 25_000,
  failover: 40_000,
};

describe('nodes on a primary with two synchronous standbys', { skip: skipWithoutPostgres() }, () => {
  const runs: readonly (readonly [number, readonly ClusterFault[]])[] = [
    [2, ['restart', 'pause', 'drop']],
    [3, ['kill', 'failover']],
  ];
  for (const [nodes, faults] of runs) {
    test(`SIG-4, FINE-17: ${nodes} nodes, ${faults.join(', ')}: every acknowledgement holds, and all nodes agree`, async (t) => {
      const onReport = (line: string) => t.diagnostic(line);
      const result = await runCluster({ nodes, faults, scale: 1, onReport });
      assert.deepEqual(result.faults, []);
      assert.deepEqual(
        result.reports.map(({ fault }) => fault),
        faults,
      );
      for (const report of result.reports)
        assert.ok(report.outage.venueMs < OUTAGE_MS_MAX[report.fault], reportLine(report));
    });
  }
});
