/**
 * Compiles the contracts and writes `artifacts/` and `src/contract/abi.ts`.
 *
 *   sh scripts/launch.sh packages/vault/scripts/compile.ts
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFiles, PACKAGE } from './solidity.ts';

mkdirSync(join(PACKAGE, 'artifacts'), { recursive: true });
for (const [path, text] of compiledFiles()) {
  writeFileSync(join(PACKAGE, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
