/** The ticket's message about a failed request, by the client's error. */

import { RateLimitedError, VenueError, VenueUnreachableError } from '@venue/sdk/browser';
import { messageOf } from '../../../../basics/failure-words.ts';
import { SignedOutError } from '../../../../session/sending.ts';
import { adviseFailure } from './advice.ts';
import type { Message } from './order.ts';

export function adviceOnFailure(error: unknown): Message {
  const text = messageOf(error);
  if (error instanceof VenueUnreachableError) {
    return { text, advice: { kind: error.neverSent ? 'other' : 'unknown-outcome' }, of: 'attempt' };
  }
  if (error instanceof SignedOutError) return { text, advice: { kind: 'other' }, of: 'session' };
  if (!(error instanceof VenueError)) return { text, advice: { kind: 'other' }, of: 'attempt' };
  const retryAfterMs = error instanceof RateLimitedError ? error.retryAfterMs : null;
  const { status, code, field } = error;
  const failure = { status, code, field };
  const advice = adviseFailure(retryAfterMs === null ? failure : { ...failure, retryAfterMs });
  return { text, advice, of: advice.kind === 'approve' || advice.kind === 'sign-in' ? 'session' : 'attempt' };
}
