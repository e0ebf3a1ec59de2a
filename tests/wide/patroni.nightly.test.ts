/** PostgreSQL under Patroni and etcd with every fault; `tests/faults/patroni.ts` has the long run. */

// @seconds 320

import { describe, test } from 'node:test';
import { skipBecause } from '../faults/machine.ts';
import { survivesLosses } from '../faults/patroni.ts';
import { whyNoPatroni } from '../faults/patroni-cluster.ts';

describe('a self-healing PostgreSQL cluster', { skip: skipBecause(whyNoPatroni()) }, () => {
  test('HA-1: every patronictl of the page on fail-over runs as typed, and loses no acknowledgement', (t) =>
    survivesLosses(t, ['commands']));

  test('HA-1, HA-2: pause, power, crash, orphan, standbys, etcd: every acknowledgement holds, and the old primary comes back', (t) =>
    survivesLosses(t, ['pause', 'power', 'crash', 'orphan', 'standbys', 'etcd']));
});
