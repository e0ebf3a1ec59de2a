import assert from 'node:assert/strict';
import { OutcomeUnknownError } from '@venue/sdk';

/** The error of a write whose answer was lost. Fails if it was answered, or refused. */
export async function lost(call: Promise<unknown>): Promise<OutcomeUnknownError> {
  const error = await call.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OutcomeUnknownError, String(error));
  return error;
}
