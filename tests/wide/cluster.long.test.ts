/** Real exchanges on one replicated PostgreSQL log, each fault once; `tests/faults/cluster.ts` has the long run. */

// @seconds 60

import { describe, test } from 'node:test';
import { skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { survivesFaults } from '../faults/cluster.ts';

describe('nodes on a primary with two synchronous standbys', { skip: skipWithoutPostgres() }, () => {
  test('SIG-4, FINE-17: 2 nodes, each fault once: every acknowledgement holds, and both nodes agree', (t) =>
    survivesFaults(t, { nodes: 2, scale: 1 }));
});
