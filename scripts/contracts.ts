/**
 * Checks docs/reference/openapi.yaml and asyncapi.yaml as their readers' tools would: the recommended rules of Redocly.
 *
 *   node_modules/.bin/node scripts/contracts.ts
 */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfig, lint, lintFromString } from '@redocly/openapi-core';

const CONTRACTS = ['docs/reference/openapi.yaml', 'docs/reference/asyncapi.yaml'];

const config = await createConfig({
  extends: ['recommended'],
  // A read without parameters and without a token has nothing to refuse.
  rules: { 'operation-4xx-response': 'off' },
  // A connection signs in by a message, and only some of its channels take that.
  async3Rules: { 'security-defined': 'off' },
});

type Problem = Awaited<ReturnType<typeof lint>>[number];

/** Faults of a document, warnings among them, one line each with their place. */
export async function contractFaults(path: string, text?: string): Promise<string[]> {
  const problems =
    text === undefined
      ? await lint({ ref: path, config })
      : await lintFromString({ source: text, absoluteRef: path, config });
  return problems.map(
    ({ ruleId, message, location }: Problem) => `${location[0]?.pointer ?? '#/'} ${ruleId}: ${message}`,
  );
}

const ROOT = join(fileURLToPath(import.meta.url), '../..');
if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const path of CONTRACTS) {
    const faults = await contractFaults(join(ROOT, path));
    for (const fault of faults) console.error(`${path}: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
