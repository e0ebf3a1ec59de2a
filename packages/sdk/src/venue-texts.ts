/** The venue's texts that this client acts on. The catalogue holds them by its types alone, and stays out of the bundle. */

import type { ErrorName, MESSAGES } from '@venue/protocol';

export const REFUSAL_TEXTS = {
  badSignature: 'bad signature',
  nonceOutsideWindow: 'nonce outside the accepted window',
  nonceUsed: 'nonce already used',
  notYetUpgraded: 'not before every node of the venue is upgraded',
  setFrozen: 'frozen — unfreeze the set first',
  stalePush: 'stale push',
  unknownOrder: 'unknown order',
  unknownSet: 'unknown set',
} as const satisfies { readonly [Name in ErrorName]?: (typeof MESSAGES)[Name]['error'] };
