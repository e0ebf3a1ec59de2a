/** What only the account's owner may read; each call needs a sign-in first. */

import type { Account, FillList, FillRecord, MarginReport } from '@venue/protocol';
import type { Credentials } from './credentials.ts';
import type { Transport } from './transport.ts';

export class AccountReads {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  /** Cash, positions, resting orders. */
  me(): Promise<Account> {
    return this.#transport.get('/v1/me', { headers: this.#credentials.headers() });
  }

  /** Where the account's money is locked: a line for each short series and each resting order. */
  margin(): Promise<MarginReport> {
    return this.#transport.get('/v1/margin', { headers: this.#credentials.headers() });
  }

  /** Up to 500 fills, newest first. */
  async fills(): Promise<FillRecord[]> {
    const { fills } = await this.#transport.get<FillList>('/v1/fills', {
      headers: this.#credentials.headers(),
    });
    return fills;
  }
}
