/** The examples of docs/reference/openapi.yaml, and how those of running processes are compared with them. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Example } from '../../packages/exchange/src/openapi/examples.ts';
import type { Chapter } from '../../packages/exchange/test/contract/chapter.ts';
import {
  examplesOf,
  type ReadExample,
  readContract,
} from '../../packages/exchange/test/contract/document.ts';
import { CHAPTERS } from '../../packages/exchange/test/contract/recording.ts';
import { Scribe } from '../../packages/exchange/test/contract/scribe.ts';
import { LiveStage, STAGES, type StageName } from '../../packages/exchange/test/contract/stage.ts';
import { Launched } from './launched.ts';

export const contract = readContract();
export const all = examplesOf(contract);
export const documented = new Map(all.map((example) => [keyOf(example), example]));

export function keyOf({ operation, name }: Pick<ReadExample, 'operation' | 'name'>): string {
  return `${operation} ${name}`;
}

/** Violations of a schema by a value, or nothing. */
export function faults(schema: object, value: unknown): string[] {
  const [, errors] = Compile(schema as TSchema).Errors(value);
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The chapters that can be played in real time. */
export const LIVE_CHAPTERS: readonly Chapter[] = CHAPTERS.filter(({ needsClock }) => !needsClock);

/** Adds a test for each chapter, against a process on the real clock: its answers differ only in times and names. */
export function testLive(chapters: readonly Chapter[]): void {
  describe('the examples of the contract, against processes of `venue exchange`', { concurrency: 2 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-contract-'));
    const running = new Set<Launched>();
    after(() => {
      for (const launched of running) launched.end();
      rmSync(folder, { recursive: true, force: true });
    });

    for (const [i, { title, on, play }] of chapters.entries()) {
      it(title, async () => {
        const launched = launch(on, join(folder, `${i}.db`));
        running.add(launched);
        const [, url] = await launched.says(/(http:\/\/127\.0\.0\.1:\d+)/);
        const scribe = new Scribe();
        await play(new LiveStage(url!), scribe);
        for (const example of scribe.examples) compareWords(example);
        launched.process.kill('SIGTERM');
        assert.equal(await launched.exits(), 0);
      });
    }
  });
}

function launch(on: StageName, path: string): Launched {
  const env = { ...STAGES[on], VENUE_LOG: `sqlite:${path}`, VENUE_LOG_LEVEL: 'info' };
  return new Launched(['exchange'], { env });
}

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
