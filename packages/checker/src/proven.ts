/** The file of the checker's proof of its copy of the log, so that a restart proves only what is new (CUS-18). */

import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { type FollowedLog, LogToolError, type Proof, UnusableProofError } from '@venue/audit';
import { ConfigError } from '@venue/config';
import { type Address, type Hex, recoverPersonal } from '@venue/protocol';
import { ChainError, Reminder, StateFile, type TransactionKey } from '@venue/vault/parts';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';

export interface ProvenFileParts {
  readonly path: string;
  readonly place: { readonly chainId: number; readonly gate: Address };
  /** The guardian's, which seals the file: a process that can write it cannot make one up. */
  readonly key: Pick<TransactionKey, 'address' | 'signText'>;
  /** Names that a person has found right. */
  readonly seen: ReadonlySet<string>;
  readonly log: (line: string) => void;
  /** Milliseconds between two writes; a minute by default. */
  readonly everyMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly onStep?: (step: string) => void;
}

interface Content {
  readonly proof: Proof;
  /** Approvals that a person had found right (`entry:5`): their sessions are watched no longer. */
  readonly seen: readonly string[];
}

const SealedSchema = Type.Object({ content: Type.Object({}), seal: Type.String() });

/** The part of a `FollowedLog` that this file needs. */
type Provable = Pick<FollowedLog, 'seq' | 'fromSeq' | 'proof'>;

const EVERY_MS = 60_000;
/** Writing a large state again takes at most this share of the time. */
const SHARE = 1 / 100;

export class ProvenFile {
  readonly path: string;
  readonly #parts: ProvenFileParts;
  readonly #file: StateFile;
  readonly #failure: Reminder;
  #written: BigIntStats | null = null;
  #kept: { readonly log: Provable; readonly seq: number } | null = null;
  #dueAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ProvenFileParts) {
    this.path = parts.path;
    this.#parts = parts;
    this.#file = new StateFile(parts.path, parts.onStep);
    this.#failure = new Reminder(parts.log);
  }

  /** The proof of an earlier run, or null after a line that says why it does not count. */
  read(): Proof | null {
    try {
      const value = this.#file.read();
      const content = value === undefined ? null : this.#opened(value);
      this.#written = this.#look();
      return content === null ? null : content.proof;
    } catch (error) {
      if (!(error instanceof UnusableProofError || error instanceof ConfigError)) throw error;
      this.refuse(error);
      return null;
    }
  }

  /** Tells why the file does not count. */
  refuse(error: Error): void {
    const why = error instanceof ConfigError ? error.message : `${this.path} ${error.message}`;
    this.#parts.log(`ALARM: ${why}: the log is proven from its first entry`);
  }

  /** Writes what is proven now, if that is new and due. A failure is told, and stops nothing. */
  async keep(log: Provable): Promise<void> {
    const { now = () => performance.now() } = this.#parts;
    const isLost = this.#isReplaced();
    const keptSeq = this.#kept?.log === log ? this.#kept.seq : log.fromSeq;
    if (!isLost && (log.seq === keptSeq || now() < this.#dueAtMs)) return;
    const fromMs = now();
    try {
      const proof = await log.proof();
      if (proof !== null) await this.#write(proof);
      this.#kept = { log, seq: log.seq };
      this.#failure.over('going on: what is proven is kept again');
    } catch (error) {
      if (!isForeseen(error)) throw error;
      this.#failure.say(`ALARM: what is proven is not kept, and a restart proves it again: ${error.message}`);
    }
    this.#dueAtMs = now() + Math.max(this.#parts.everyMs ?? EVERY_MS, (now() - fromMs) / SHARE);
  }

  async #write(proof: Proof): Promise<void> {
    const seen = [...this.#parts.seen].filter((one) => one.startsWith('entry:'));
    const content: Content = { proof, seen };
    const seal = await this.#parts.key.signText(this.#sealedText(content));
    await this.#file.write({ content, seal });
    this.#written = this.#look();
  }

  #opened(value: unknown): Content {
    if (!Check(SealedSchema, value)) throw new UnusableProofError('is damaged');
    const content = value.content as unknown as Content;
    if (recoverPersonal(this.#sealedText(content), value.seal as Hex) !== this.#parts.key.address)
      throw new UnusableProofError('is not sealed by this guardian for this gate');
    const { seen } = content;
    if (!Check(Type.Array(Type.String()), seen)) throw new UnusableProofError('is damaged');
    const lost = seen.find((one) => !this.#parts.seen.has(one));
    if (lost !== undefined)
      throw new UnusableProofError(`rests on ${lost}, which VENUE_CHECKER_SEEN names no longer`);
    return content;
  }

  #sealedText(content: Content): string {
    const { chainId, gate } = this.#parts.place;
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    return `venue checker of the gate ${gate} on chain ${chainId} has proven ${digest}`;
  }

  /** Two checkers that share a file would go on from each other's memory of approvals. */
  #isReplaced(): boolean {
    if (this.#written === null) return false;
    const found = this.#look();
    if (found !== null && isSame(found, this.#written)) return false;
    const what = found === null ? 'removed' : 'replaced';
    this.#parts.log(`ALARM: ${this.path} was ${what} by somebody else: it is written again`);
    this.#written = null;
    return true;
  }

  #look(): BigIntStats | null {
    return statSync(this.path, { bigint: true, throwIfNoEntry: false }) ?? null;
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

function isForeseen(error: unknown): error is Error {
  return error instanceof ChainError || error instanceof ConfigError || error instanceof LogToolError;
}
