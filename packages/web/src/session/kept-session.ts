/** A session as it is kept between visits. */

import type { Address, Hex } from '@venue/protocol';

/** Stored with the key: all that is needed to resume without the wallet. */
export interface SessionRecord {
  readonly account: Address;
  readonly sessionKey: Address;
  readonly expiresAtMs: number;
  /** The wallet's signature of the approval; posting it again returns a new token. */
  readonly approval: Hex;
  /** The venue's address and the id of the deployment there, which the key is for; absent in a session of before. */
  readonly url?: string;
  readonly venue?: string;
  /** Name of the wallet; null for a key that the page generated. */
  readonly wallet: string | null;
}

export interface KeptSession extends SessionRecord {
  readonly privateKey: Hex;
}
