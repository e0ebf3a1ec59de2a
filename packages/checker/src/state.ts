/** The checker's own file: what contract wallets have confirmed, so that a restart asks nothing again (CUS-19). */

import { createHash } from 'node:crypto';
import type { AttestedApproval } from '@venue/audit';
import { AddressText, StateFile } from '@venue/vault/parts';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';

const ContentSchema = Type.Object({
  chainId: Type.Integer(),
  gate: AddressText,
  /** Digests of the approvals. */
  confirmed: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
});
type Content = Static<typeof ContentSchema>;

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
    if (!Check(ContentSchema, content)) throw this.#file.unusable('not a checker state file');
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
