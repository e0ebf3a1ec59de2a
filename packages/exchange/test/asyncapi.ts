/**
 * Writes the description of the stream by the running code:
 *
 *   node_modules/.bin/node packages/exchange/test/asyncapi.ts > docs/reference/asyncapi.yaml
 */

import { streamText } from './contract.ts';

process.stdout.write(streamText());
