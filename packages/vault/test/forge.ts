/** Runs the contract's own tests, which are written in Solidity. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { foundryProgram } from './foundry.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export interface ForgeOptions {
  /** A profile of `foundry.toml`; `wide` takes minutes. */
  readonly profile?: 'default' | 'wide';
  /** Seed of the fuzzing, instead of the committed one. */
  readonly seed?: bigint;
}

export interface ForgeResult {
  readonly passed: readonly string[];
  /** Suite, test and reason. */
  readonly failed: readonly string[];
}

interface Suite {
  readonly test_results: Readonly<
    Record<string, { readonly status: string; readonly reason: string | null }>
  >;
}

/**
 * Compiles the contracts and runs all their tests; throws forge's output if there is nothing to count.
 *
 *   const { passed, failed } = await runForgeTests({ profile: 'wide', seed: 42n });
 */
export async function runForgeTests(options: ForgeOptions = {}): Promise<ForgeResult> {
  const { profile = 'default', seed } = options;
  const seeded = seed === undefined ? [] : ['--fuzz-seed', `0x${seed.toString(16)}`];
  const output = await forge(['test', '--json', ...seeded], profile);
  const results = Object.entries(output as Record<string, Suite>).flatMap(([suite, { test_results }]) =>
    Object.entries(test_results).map(([name, result]) => ({ title: `${suite} ${name}`, ...result })),
  );
  return {
    passed: results.filter(({ status }) => status === 'Success').map(({ title }) => title),
    failed: results
      .filter(({ status }) => status !== 'Success')
      .map(({ title, reason }) => `${title}: ${reason ?? 'no reason given'}`),
  };
}

function forge(words: readonly string[], profile: string): Promise<unknown> {
  const env = { ...process.env, FOUNDRY_PROFILE: profile, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' };
  return new Promise((resolve, reject) => {
    execFile(
      foundryProgram('forge'),
      words,
      { cwd: PACKAGE, env, maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout));
        } catch {
          reject(new Error(`forge: ${stderr.trim() || stdout.trim() || error?.message}`));
        }
      },
    );
  });
}
