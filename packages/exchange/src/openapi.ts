/** The public contract as an OpenAPI document, made from the table of routes, so that the two cannot differ. */

import type { FundingMode } from '@venue/engine';
import { ErrorBodySchema } from '@venue/protocol/wire';
import type { TObject, TSchema } from 'typebox';
import type { Access, Route } from './http/route.ts';

interface Operation {
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
  /** The modes that have the route, where it is not in all of them. */
  readonly 'x-funding-modes'?: readonly FundingMode[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
  /** Routes that are not part of the public contract, each with its reason. */
  readonly 'x-excluded': readonly {
    readonly method: string;
    readonly path: string;
    readonly reason: string;
  }[];
}

const BEARER = [{ paperToken: [] }, { bearer: [] }];
/** A signed write proves itself by its body; a token counts only while signing is optional. */
const SECURITY: Readonly<Partial<Record<Access, readonly object[]>>> = {
  bearer: BEARER,
  signed: [{}, ...BEARER],
};

/** Describes every route: the documented ones as operations, the others as exclusions. */
export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  const excluded: { method: string; path: string; reason: string }[] = [];
  for (const route of routes) {
    const { method, path, contract } = route;
    if ('excluded' in contract) {
      excluded.push({ method, path, reason: contract.excluded });
      continue;
    }
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = operationOf(route, contract.summary);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Venue',
      version: 'v1',
      description:
        'Cash-settled European options. Amounts are decimals exact to a millionth; identity is an Ethereum address.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      securitySchemes: {
        paperToken: { type: 'apiKey', in: 'header', name: 'x-paper-token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    'x-excluded': excluded,
  };
}

function operationOf(route: Route, summary: string): Operation {
  const security = SECURITY[route.access];
  const parameters = [
    ...pathParametersOf(route.path),
    ...(route.query ? parametersOf(route.query as TObject) : []),
  ];
  return {
    summary,
    ...(route.modes ? { 'x-funding-modes': route.modes } : {}),
    ...(security ? { security } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { required: true, ...json(route.body) } } : {}),
    responses: {
      200: { description: 'Done', ...json(route.answer) },
      default: { description: 'Refused; the text says why', ...json(ErrorBodySchema) },
    },
  };
}

function pathParametersOf(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function parametersOf({ properties, required }: TObject): object[] {
  const needed: readonly string[] = required ?? [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema: plain(schema),
  }));
}

function json(schema: TSchema): { content: object } {
  return { content: { 'application/json': { schema: plain(schema) } } };
}

/** The schema as JSON alone, without the marks that the library leaves on it. */
function plain(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema));
}
