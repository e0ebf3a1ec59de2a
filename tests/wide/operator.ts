/** Operators' actions on an expiry, by the command and its routes. */

import assert from 'node:assert/strict';
import type { AuditList } from '@venue/protocol';
import { Launched } from '../e2e/launched.ts';

export const SECRETS = { VENUE_SETTLE_TOKEN_1: 'one-'.repeat(9), VENUE_SETTLE_TOKEN_2: 'two-'.repeat(9) };
export const OPERATOR_TOKEN = 'operator-'.repeat(4);

/** Runs `venue operator …`: its exit code and output. */
export async function operator(url: string, words: readonly string[], secrets: Record<string, string>) {
  const command = new Launched(['operator', ...words], { env: { VENUE_URL: url, ...secrets } });
  try {
    const code = await command.exits();
    return { code, output: command.output };
  } finally {
    command.end();
  }
}

/** The head of the audit chain that `venue operator audit --verify` finds intact, containing an earlier noted head. */
export async function verifiedHead(url: string, attempts: number, noted?: string): Promise<string> {
  const words = ['audit', '--verify', ...(noted === undefined ? [] : ['--head', noted])];
  const { code, output } = await operator(url, words, { VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN });
  assert.equal(code, 0, output);
  const [, count, head] = /audit: (\d+) entries, chain intact, head ([0-9a-f]{64})/.exec(output) ?? [];
  assert.equal(Number(count), attempts, output);
  return head!;
}

/** The refusal of each attempt to settle by hand, or null, in order. */
export async function auditedReasons(url: string): Promise<(string | null)[]> {
  const headers = { 'x-operator-token': OPERATOR_TOKEN };
  const { entries } = (await (await fetch(`${url}/v1/operator/audit`, { headers })).json()) as AuditList;
  return entries.map(({ reason }) => reason);
}
