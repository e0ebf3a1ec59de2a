/** Every example and every error of docs/reference/openapi.yaml, checked on running services. */

// @seconds 87

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { type Example, shorten } from '../../packages/exchange/src/openapi/examples.ts';
import {
  examplesOf,
  operationsOf,
  type ReadExample,
  readContract,
  resolved,
} from '../../packages/exchange/test/contract/document.ts';
import { CHAPTERS, record } from '../../packages/exchange/test/contract/recording.ts';
import { Scribe } from '../../packages/exchange/test/contract/scribe.ts';
import { LiveStage, STAGES, type StageName } from '../../packages/exchange/test/contract/stage.ts';
import { Launched } from './launched.ts';

const contract = readContract();
const all = examplesOf(contract);
const documented = new Map(all.map((example) => [keyOf(example), example]));

function keyOf({ operation, name }: Pick<ReadExample, 'operation' | 'name'>): string {
  return `${operation} ${name}`;
}

/** Violations of a schema by a value, or nothing. */
function faults(schema: object, value: unknown): string[] {
  const [, errors] = Compile(schema as TSchema).Errors(value);
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

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

/** Processes on the real clock: their answers differ only in times and names. */
describe('the examples of the contract, against processes of `venue exchange`', { concurrency: 2 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-contract-'));
  const running = new Set<Launched>();
  after(() => {
    for (const launched of running) launched.end();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [i, { title, on, needsClock, play }] of CHAPTERS.entries()) {
    if (needsClock) continue;
    it(title, async () => {
      const launched = launch(on, `${i}`);
      const [, url] = await launched.says(/(http:\/\/127\.0\.0\.1:\d+)/);
      const scribe = new Scribe();
      await play(new LiveStage(url!), scribe);
      for (const example of scribe.examples) compareWords(example);
      launched.process.kill('SIGTERM');
      assert.equal(await launched.exits(), 0);
    });
  }

  function launch(on: StageName, name: string): Launched {
    const env = { ...STAGES[on], VENUE_LOG: `sqlite:${join(folder, `${name}.db`)}`, VENUE_LOG_LEVEL: 'info' };
    const launched = new Launched(['exchange'], { env });
    running.add(launched);
    return launched;
  }
});

function compareWords(example: Example): void {
  const { status, contentType, value, schema } =
    documented.get(keyOf(example)) ?? assert.fail(`${keyOf(example)} is not in the contract`);
  assert.deepEqual(
    { status: example.status, contentType: example.contentType, ...wordsOf(example.answer) },
    { status, contentType, ...wordsOf(value) },
    keyOf(example),
  );
  assert.deepEqual(faults(schema, example.answer), [], keyOf(example));
}

/** The texts and the field names of an answer. */
function wordsOf(answer: unknown): object {
  if (typeof answer === 'string') return { heading: answer.split('\n')[0] };
  const { error, reason, status } = answer as Record<string, unknown>;
  return { error, reason, said: status, fields: Object.keys(answer as object) };
}
