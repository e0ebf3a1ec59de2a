/** Checks that tests make of an answer. */

import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Reply } from './support.ts';

export function assertShape(schema: TSchema, value: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(value), JSON.stringify(validator.Errors(value)));
}

export function answersWith(reply: Reply, status: number, error: string): void {
  assert.deepEqual([reply.status, reply.body], [status, { error }]);
}
