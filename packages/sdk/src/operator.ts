/** Routes of operators: settlement by hand, and the audit of every attempt at it. */

import type { AuditEntry, AuditList, HandSettleAnswer, HandSettleRequest } from '@venue/protocol';
import type { Transport } from './transport.ts';

/** The two secrets of hand settlement, which two people hold. */
export interface SettleTokens {
  readonly token1: string;
  readonly token2: string;
}

export class OperatorCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Settles a series that the oracle refused, or every one of an expiry, at a price of the underlying in US dollars
   * (FINE-1). `RefusedError` says which gate was shut, `ForbiddenError` that a secret is wrong; every attempt is audited.
   *
   * @example
   * const attempt = venue.operator.settle({ seriesId, price: 100_000 }, settleTokens);
   * await attempt.catch(({ message }) => console.error(message));
   */
  settle(request: HandSettleRequest, { token1, token2 }: SettleTokens): Promise<HandSettleAnswer> {
    const headers = { 'x-settle-token-1': token1, 'x-settle-token-2': token2 };
    return this.#transport.post('/v1/operator/settle', request, { headers });
  }

  /**
   * Says to one node that its clock, which has jumped, is right as it is now (CLOCK-1). `ForbiddenError` says that the
   * secret is wrong.
   *
   * @example
   * await venue.operator.acceptClock(operatorToken);
   */
  acceptClock(operatorToken: string): Promise<{ ok: true }> {
    const headers = { 'x-operator-token': operatorToken };
    return this.#transport.post('/v1/operator/clock', { accept: true }, { headers });
  }

  /**
   * Every attempt that follows number `after`, oldest first, asked for page by page.
   *
   * @example
   * for await (const { n, reason } of venue.operator.audit(operatorToken)) console.log(n, reason);
   */
  async *audit(operatorToken: string, after = 0): AsyncGenerator<AuditEntry, void> {
    let last = after;
    for (;;) {
      const { entries } = await this.#transport.get<AuditList>('/v1/operator/audit', {
        query: { after: last },
        headers: { 'x-operator-token': operatorToken },
      });
      yield* entries;
      const next = entries.at(-1)?.n ?? last;
      // A page that leads nowhere is the last.
      if (next <= last) return;
      last = next;
    }
  }
}
