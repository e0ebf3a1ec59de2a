/**
 * Writes the public contract of the running code:
 *
 *   node_modules/.bin/node packages/exchange/test/openapi.ts > docs/reference/openapi.yaml
 */

import { contractText } from './contract.ts';

process.stdout.write(await contractText());
