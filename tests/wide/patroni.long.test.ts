/** PostgreSQL under Patroni and etcd, set up from deploy/patroni, with one fault; `tests/faults/patroni.ts` has the long run. */

// @seconds 50

import { describe, test } from 'node:test';
import { skipBecause } from '../faults/machine.ts';
import { survivesLosses } from '../faults/patroni.ts';
import { whyNoPatroni } from '../faults/patroni-cluster.ts';

describe('a self-healing PostgreSQL cluster', { skip: skipBecause(whyNoPatroni()) }, () => {
  test('HA-1, HA-2: a primary that pauses is replaced: every acknowledgement holds, and it comes back', (t) =>
    survivesLosses(t, ['pause']));
});
