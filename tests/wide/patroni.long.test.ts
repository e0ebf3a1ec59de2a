/** PostgreSQL under Patroni and etcd, set up from deploy/patroni, in short; `tests/faults/patroni.ts` has the long run. */

// @seconds 108

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skipBecause } from '../faults/machine.ts';
import { runPatroni, SHORT_LEASE } from '../faults/patroni.ts';
import { whyNoPatroni } from '../faults/patroni-cluster.ts';
import type { PatroniFault } from '../faults/patroni-faults.ts';

/** Mostly due to the machine that runs it: a fail-over takes 10 s of it. */
const SILENT_MS_MAX = 60_000;

describe('a self-healing PostgreSQL cluster', { skip: skipBecause(whyNoPatroni()) }, () => {
  const faults: readonly PatroniFault[] = ['pause', 'standbys', 'etcd'];

  test(`HA-1, HA-2: ${faults.join(', ')}: every acknowledgement holds, and the old primary comes back`, async (t) => {
    const onReport = (line: string) => t.diagnostic(line);
    const result = await runPatroni({ faults, rounds: faults.length, lease: SHORT_LEASE, onReport });
    assert.deepEqual(result.faults, []);
    assert.deepEqual(
      result.rounds.map(({ fault }) => fault),
      faults,
    );
    for (const { fault, silentMs } of result.rounds)
      assert.ok(silentMs < SILENT_MS_MAX, `${fault}: ${silentMs} ms without an acknowledgement`);
  });
});
