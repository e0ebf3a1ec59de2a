/** Every example and every error of docs/reference/openapi.yaml, checked on a recorded service and on processes. */

// @seconds 25

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Example, shorten } from '../../packages/exchange/src/openapi/examples.ts';
import { operationsOf, resolved } from '../../packages/exchange/test/contract/document.ts';
import { record } from '../../packages/exchange/test/contract/recording.ts';
import { all, contract, documented, faults, keyOf, LIVE_CHAPTERS, testLive } from './contract-examples.ts';

describe('the examples of the contract', () => {
  test('of answers match their schemas', () => {
    assert.ok(all.length > 250, `${all.length} examples`);
    for (const example of all) assert.deepEqual(faults(example.schema, example.value), [], keyOf(example));
  });

  test('of requests match their schemas', () => {
    for (const [operation, { requestBody }] of operationsOf(contract)) {
      const { schema, examples = {} } = requestBody?.content['application/json'] ?? { schema: {} };
      for (const [name, { value }] of Object.entries(examples))
        assert.deepEqual(faults(resolved(contract, schema), value), [], `${operation} ${name}`);
    }
  });

  test('are answered exactly as written, to the byte, and none is left out', async () => {
    const replayed = await record({ substitute: (told) => documentedRequest(told) });
    for (const example of replayed) compareAll(example);
    const reachable = all.filter(({ unreached }) => unreached === undefined);
    assert.deepEqual(replayed.map(keyOf).sort(), reachable.map(keyOf).sort());
  });

  test('are missing only where a reason says why no request can cause them', () => {
    const unreached = all.filter(({ request }) => request === undefined);
    assert.ok(unreached.length > 0);
    for (const example of unreached) assert.ok((example.unreached?.length ?? 0) > 20, keyOf(example));
  });
});

function documentedRequest(told: Pick<Example, 'operation' | 'name'>) {
  return documented.get(keyOf(told))?.request ?? assert.fail(`${keyOf(told)} is not in the contract`);
}

function compareAll(example: Example): void {
  const { status, contentType, value, lengths, schema } = documented.get(keyOf(example))!;
  const shown = shorten(example.answer);
  assert.deepEqual(
    { status: example.status, contentType: example.contentType, ...shown },
    { status, contentType, value, lengths },
    keyOf(example),
  );
  assert.deepEqual(faults(schema, example.answer), [], keyOf(example));
}

// The stages differ in what their processes read from the environment, so each is played once.
testLive([...Map.groupBy(LIVE_CHAPTERS, ({ on }) => on).values()].map(([first]) => first!));
