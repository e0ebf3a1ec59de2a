/** Routes of operators: settlement by hand, and the audit of every attempt at it. */

import type { AuditEntry, AuditList, HandSettleAnswer, HandSettleRequest } from '@venue/protocol';
import type { Transport } from './transport.ts';

/** The two secrets of hand settlement, held by two people. */
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
   * Settles a series that the oracle refused, or all of an expiry, at a price of the underlying in US dollars
   * (FINE-1). Throws `RefusedError` that names the failed gate, or `ForbiddenError` for a wrong secret; every attempt
   * is audited.
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
   * Tells one node that its clock, which has jumped, is now right (CLOCK-1). Throws `ForbiddenError` for a wrong
   * secret.
   *
   * @example
   * await venue.operator.acceptClock(operatorToken);
   */
  acceptClock(operatorToken: string): Promise<{ ok: true }> {
    const headers = { 'x-operator-token': operatorToken };
    return this.#transport.post('/v1/operator/clock', { accept: true }, { headers });
  }

  /**
   * Every attempt after number `after`, oldest first, requested page by page.
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
