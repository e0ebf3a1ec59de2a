/** The public contract of the current code, with examples from a running service. */

import { stringify } from 'yaml';
import { type OpenApiDocument, openApiDocument } from '../src/openapi/document.ts';
import type { Example } from '../src/openapi/examples.ts';
import { record } from './contract/recording.ts';
import { allRoutes } from './contract/routes.ts';

/** The document with these examples, or with none. */
export function contractNow(examples: readonly Example[] = []): OpenApiDocument {
  return openApiDocument(allRoutes(), examples);
}

/** The text of `docs/reference/openapi.yaml`. */
export async function contractText(): Promise<string> {
  const document = contractNow(await record());
  return `${HEADING}${stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })}`;
}

const HEADING = [
  '# The public contract. Written from the table of routes and from real answers; do not edit:',
  '#   node_modules/.bin/node packages/exchange/test/openapi.ts > docs/reference/openapi.yaml',
  '',
].join('\n');
