/** Routes of operators: settlement by hand, and the audit of every attempt at it. */

import type {
  AuditEntry,
  AuditList,
  ExposureReport,
  HandSettleAnswer,
  HandSettleRequest,
  SettleConfirmRequest,
  SettleProposeAnswer,
} from '@venue/protocol';
import { numberOf } from '../net/checks.ts';
import type { Decimal } from '../net/decimal.ts';
import type { Transport } from '../net/transport.ts';

/** The two secrets of hand settlement, held by two people. */
export interface SettleTokens {
  readonly token1: string;
  readonly token2: string;
}

/** One of the two secrets, and which of them it is; or the own secret of a named operator who may settle (OPS-2). */
export interface SettleToken {
  readonly which: 1 | 2 | 'own';
  readonly token: string;
}

/** The price of a request as a number or a decimal text. */
type Priced<T> = T extends unknown ? Omit<T, 'price'> & { readonly price: Decimal } : never;

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
  async settle(
    request: Priced<HandSettleRequest>,
    { token1, token2 }: SettleTokens,
  ): Promise<HandSettleAnswer> {
    const headers = { 'x-settle-token-1': token1, 'x-settle-token-2': token2 };
    return this.#transport.post('/v1/operator/settle', priced(request), { headers });
  }

  /**
   * Proposes a settlement with one secret, for another person to confirm before `expiresAt` (CUS-10). Refused
   * as the settlement would be.
   *
   * @example
   * const { token1: token } = settleTokens;
   * const attempt = venue.operator.propose({ seriesId, price: 100_000 }, { which: 1, token });
   * await attempt.then(({ id }) => console.log(id), ({ message }) => console.error(message));
   */
  async propose(request: Priced<HandSettleRequest>, token: SettleToken): Promise<SettleProposeAnswer> {
    const headers = settleHeader(token);
    return this.#transport.post('/v1/operator/settle/propose', priced(request), { headers });
  }

  /**
   * Confirms what another person proposed, and so settles it. The request repeats target and price.
   *
   * @example
   * const { token2: token } = settleTokens;
   * const attempt = venue.operator.confirm({ id: 812, seriesId, price: 100_000 }, { which: 2, token });
   * await attempt.catch(({ message }) => console.error(message));
   */
  async confirm(request: Priced<SettleConfirmRequest>, token: SettleToken): Promise<HandSettleAnswer> {
    const headers = settleHeader(token);
    return this.#transport.post('/v1/operator/settle/confirm', priced(request), { headers });
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
   * Accounts in margin call and the largest, exposure by expiry, and settlements that wait for a second person (OPS-1).
   * At most a second old. Throws `ForbiddenError` for a wrong secret.
   *
   * @example
   * const { calledCount, largest } = await venue.operator.exposure(operatorToken);
   * console.log(calledCount, largest[0]?.exposure);
   */
  exposure(operatorToken: string): Promise<ExposureReport> {
    const headers = { 'x-operator-token': operatorToken };
    return this.#transport.get('/v1/operator/exposure', { headers });
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

function priced<T extends { readonly price: Decimal }>(request: T): object {
  return { ...request, price: numberOf('price', request.price) };
}

function settleHeader({ which, token }: SettleToken): Record<string, string> {
  return { [which === 'own' ? 'x-operator-token' : `x-settle-token-${which}`]: token };
}
