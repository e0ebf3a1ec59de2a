/** Real exchanges on one replicated PostgreSQL log, each fault many times. */

// @seconds 240

import { describe, test } from 'node:test';
import { skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { survivesFaults } from '../faults/cluster.ts';

describe('nodes on a primary with two synchronous standbys', { skip: skipWithoutPostgres() }, () => {
  test('SIG-4, FINE-17: 3 nodes, each fault again and again: every acknowledgement holds, and all nodes agree', (t) =>
    survivesFaults(t, { nodes: 3, scale: 3 }));
});
