/** Other losses of the primary of the PostgreSQL log than the pause in `postgres.long.test.ts`. */

// @seconds 40

import { afterEach, beforeEach, describe, test } from 'node:test';
import { skipWithoutPostgres } from '../../packages/log/test/postgres-server.ts';
import { ClusterNodes, type Loss } from './postgres-nodes.ts';

describe('PostgreSQL with two synchronous standbys', { skip: skipWithoutPostgres() }, () => {
  const on = new ClusterNodes();
  beforeEach(() => on.start());
  beforeEach(() => on.create());
  afterEach(() => on.close());
  afterEach(() => on.remove());

  for (const how of ['kill', 'stop'] satisfies Loss[])
    test(`fail-over after a ${how} of the primary: every acknowledged entry is there once, on every node`, () =>
      on.failOver(how));
});
