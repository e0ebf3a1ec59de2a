/** The checker's own file: what contract wallets have confirmed, so that a restart asks nothing again (CUS-19). */

import { createHash } from 'node:crypto';
import type { AttestedApproval } from '@venue/audit';
import type { Address } from '@venue/protocol';
import { isAddress, isList, isObject, StateFile } from '@venue/vault/parts';

interface Content {
  readonly chainId: number;
  readonly gate: Address;
  /** Digests of the approvals. */
  readonly confirmed: readonly string[];
}

export class CheckerFile {
  readonly #file: StateFile;
  readonly #place: Pick<Content, 'chainId' | 'gate'>;
  readonly #confirmed: Set<string>;

  /** Throws `ConfigError` for a file that is damaged or of another gate. */
  constructor(path: string, place: Pick<Content, 'chainId' | 'gate'>) {
    this.#file = new StateFile(path);
    this.#place = place;
    this.#confirmed = new Set(this.#read());
  }

  isConfirmed(approval: AttestedApproval): boolean {
    return this.#confirmed.has(digestOf(approval));
  }

  async confirm(approvals: readonly AttestedApproval[]): Promise<void> {
    if (approvals.length === 0) return;
    for (const approval of approvals) this.#confirmed.add(digestOf(approval));
    await this.#file.write({ ...this.#place, confirmed: [...this.#confirmed] });
  }

  #read(): readonly string[] {
    const content = this.#file.read();
    if (content === undefined) return [];
    if (!isContent(content)) throw this.#file.unusable('it is no state of a checker');
    const { chainId, gate } = this.#place;
    if (content.chainId !== chainId || content.gate !== gate)
      throw this.#file.unusable(
        `it is of the gate ${content.gate} on chain ${content.chainId}`,
        'name another file in VENUE_CHECKER_STATE',
      );
    return content.confirmed;
  }
}

/** Without its number: a log that was restored has the same approval under another. */
function digestOf({ address, sessionKey, expiresAt, signature, attestation }: AttestedApproval): string {
  const { chainId, blockNumber, blockHash } = attestation;
  const text = JSON.stringify([address, sessionKey, expiresAt, signature, chainId, blockNumber, blockHash]);
  return createHash('sha256').update(text).digest('hex');
}

function isContent(value: unknown): value is Content {
  if (!isObject(value)) return false;
  return Number.isSafeInteger(value.chainId) && isAddress(value.gate) && isList(value.confirmed, isDigest);
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
