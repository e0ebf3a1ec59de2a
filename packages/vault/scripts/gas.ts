/**
 * Measures the gas cost of each act from receipts of a local chain, and writes `GAS.md`.
 *
 *   sh scripts/launch.sh packages/vault/scripts/gas.ts
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gasTable } from '../test/gas.ts';

const path = join(fileURLToPath(new URL('..', import.meta.url)), 'GAS.md');
writeFileSync(path, await gasTable());
process.stdout.write(`wrote ${path}\n`);
