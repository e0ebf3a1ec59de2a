/** One verifier for all venues of a test process: to start its thread takes longer than to start a venue. */

import { openVerifier, type Verifier } from '@venue/replay';

let opening: Promise<Verifier> | undefined;

/** Never closed; it keeps no process alive. */
export function sharedVerifier(): Promise<Verifier> {
  opening ??= openVerifier();
  return opening;
}
