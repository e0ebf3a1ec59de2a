/**
 * Generates docs/reference/environment.md from packages/config.
 *
 *   node_modules/.bin/node scripts/environment.ts
 */

import { writeFileSync } from 'node:fs';
import { environmentPage } from '@venue/config/page';

writeFileSync(new URL('../docs/reference/environment.md', import.meta.url), environmentPage());
