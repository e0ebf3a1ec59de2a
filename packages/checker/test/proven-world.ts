/** A signed log, and checkers that prove it and keep what they have proven. */

import { dirname, join } from 'node:path';
import type { ApproveCommand } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { openKey, type TransactionKey } from '@venue/vault/parts';
import { sharedVerifier } from '../../exchange/test/shared-verifier.ts';
import { ALICE, BOB, SignedLog, trade, traderOf } from '../../exchange/test/signed-log.ts';
import { Copy } from '../src/copy.ts';
import { ProvenFile, type ProvenFileParts } from '../src/proven.ts';

export const PLACE = { chainId: 1, gate: `0x${'aa'.repeat(20)}` as Address };
export const VAULT = `0x${'ee'.repeat(20)}` as Address;
export const SAFE = traderOf(12);

/** A guardian's key, by its number. */
export function guardian(n = 1): Promise<TransactionKey> {
  return openKey({ kind: 'key', holder: 'GUARDIAN', key: `0x${String(n).repeat(64)}` });
}

const opened: { close(): Promise<void> }[] = [];

/** Closes all logs and checkers, so that a test that failed keeps no process alive. */
export async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) await one.close();
}

/** With all that a proof has: an approval in doubt whose session has traded, a binding, and a deposit before it. */
export async function provableLog(): Promise<SignedLog> {
  const log = await SignedLog.open('deposits');
  opened.push({ close: () => log.stop() });
  const approval = log.approval(SAFE) as ApproveCommand;
  await log.append({ kind: 'open', address: SAFE.address }, log.deposit(SAFE, 2));
  await log.append({ ...approval, kind: 'park', act: 'approve', signature: '0x1234' });
  const block = { chainId: 1, blockNumber: 7, blockHash: `0x${'b1'.repeat(32)}` } as const;
  await log.append({ kind: 'attest', verdict: 'valid', id: log.state.seq, ...block });
  await log.append(log.margin(ALICE, true), log.order(ALICE, 'sell', { qty: 2 }));
  await log.append(log.order(SAFE, 'buy', { price: 150 }));
  await trade(log);
  const { depositedMicros } = log.state.custody;
  const past = { paidBeforeMicros: 0 as never, depositedBeforeMicros: Number(depositedMicros) as never };
  await log.append({ kind: 'bind', chainId: 1, vault: VAULT, ...past, funder: null, secrets: [true, true] });
  return log;
}

export interface Checker {
  readonly copy: Copy;
  readonly file: ProvenFile;
  readonly lines: string[];
}

/** The file of a log's checker. */
export function provenPath(log: Pick<SignedLog, 'path'>): string {
  return join(dirname(log.path), `${log.path.split('/').at(-1)}.proven`);
}

/** A checker that has started, and proven what the log has. */
export async function start(
  log: Pick<SignedLog, 'spec' | 'path'>,
  parts: Partial<ProvenFileParts> = {},
): Promise<Checker & { readonly fault: string | null }> {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const key = parts.key ?? (await guardian());
  const base = { path: provenPath(log), place: PLACE, seen: new Set<string>(), log: say };
  const file = new ProvenFile({ ...base, ...parts, key });
  const copy = await Copy.open({ spec: log.spec, file, log: say, verifier: await sharedVerifier() });
  opened.push(copy);
  const fault = await copy.advance();
  return { copy, file, lines, fault: fault?.message ?? null };
}

export { ALICE, BOB };
