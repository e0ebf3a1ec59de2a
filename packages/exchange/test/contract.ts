/** The public contract of the current code, with examples from a running service. */

import { stringify } from 'yaml';
import { asyncApiDocument } from '../src/openapi/asyncapi.ts';
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
  return `${headingOf('The public contract. Written from the table of routes and from real answers', 'openapi')}${textOf(document)}`;
}

/** The text of `docs/reference/asyncapi.yaml`. */
export function streamText(): string {
  return `${headingOf('The stream. Written from the tables that serve it', 'asyncapi')}${textOf(asyncApiDocument())}`;
}

function textOf(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

function headingOf(what: string, name: string): string {
  return `# ${what}; do not edit:\n#   node_modules/.bin/node packages/exchange/test/${name}.ts > docs/reference/${name}.yaml\n`;
}
