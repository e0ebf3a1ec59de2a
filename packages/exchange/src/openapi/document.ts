/**
 * The public contract as an OpenAPI document, generated from the route table, so that the two cannot differ (HTTP-4).
 */

import type { FundingMode } from '@venue/engine';
import { MESSAGES, QUOTES_CONTENT_TYPE } from '@venue/protocol';
import { ErrorBodySchema } from '@venue/protocol/wire';
import type { TObject, TSchema } from 'typebox';
import {
  type Access,
  bodyLimitOf,
  type Description,
  descriptionOf,
  type Route,
  type Tag,
} from '../http/route.ts';
import { errorsOf, UNREACHED, UNREACHED_REASONS } from './errors.ts';
import { type DocumentedExample, documented, type Example } from './examples.ts';
import { fieldErrorsOf } from './fields.ts';
import { type RateLimit, rateLimitOf } from './limits.ts';
import { Components } from './schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** An empty value counts as absent. */
  readonly allowEmptyValue?: true;
  readonly schema: unknown;
}

interface Media {
  readonly schema: unknown;
  readonly examples?: Readonly<Record<string, DocumentedExample>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: Readonly<Record<string, Media>> }>
  >;
  /** The modes that have the route, if not all do. */
  readonly 'x-funding-modes'?: readonly FundingMode[];
  readonly 'x-rate-limit': RateLimit;
  readonly 'x-body-bytes-max'?: number;
  /** Error texts for single fields, with N for an index in a list. */
  readonly 'x-field-errors'?: readonly string[];
  readonly 'x-unreached-reasons'?: Readonly<Record<string, string>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: object; readonly schemas: Record<string, unknown> };
  /** The document of the WebSockets, which OpenAPI cannot describe. */
  readonly 'x-stream': string;
  /** Routes outside the public contract, each with its reason. */
  readonly 'x-excluded': readonly {
    readonly method: string;
    readonly path: string;
    readonly reason: string;
  }[];
}

const TAGS: readonly (readonly [Tag, string])[] = [
  ['Service', 'Whether it is there, and of which kind it is.'],
  ['Market', 'Underlyings, series, books, prints and settlements. No authentication.'],
  ['Sign-in', 'From a wallet to a token for reads and to a session key for writes. No authentication.'],
  ['Account', 'What the holder of a token reads.'],
  ['Trading', 'Signed by a session key; in paper mode, unless signing is forced, a token will do.'],
  ['Custody', 'Money that leaves. Exists in `deposits` mode alone.'],
  ['Help', 'For client developers.'],
];

const BEARER = [{ paperToken: [] }, { bearer: [] }];
/** A signed write is authorized by its body; a token counts only while signing is optional. */
const SECURITY: Readonly<Partial<Record<Access, readonly object[]>>> = {
  public: [],
  bearer: BEARER,
  signed: [{}, ...BEARER],
};
const NO_EXAMPLES: readonly Example[] = [];

/**
 * Describes every route: documented ones as operations, the others as exclusions.
 *
 * @example openApiDocument(routes, recorded).paths['/v1/order']?.post
 */
export function openApiDocument(
  routes: readonly Route[],
  examples: readonly Example[] = NO_EXAMPLES,
): OpenApiDocument {
  const components = new Components();
  const paths: Record<string, Record<string, Operation>> = {};
  const excluded: { method: string; path: string; reason: string }[] = [];
  for (const route of routes) {
    const { method, path, contract } = route;
    if ('excluded' in contract) {
      excluded.push({ method, path, reason: contract.excluded });
      continue;
    }
    const own = examples.filter(({ operation }) => operation === `${method} ${path}`);
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = operationOf(route, contract, { components, examples: own });
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/', description: 'The exchange that serves this document' }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    'x-stream': '/asyncapi.yaml',
    components: { securitySchemes: SECURITY_SCHEMES, schemas: components.schemas() },
    'x-excluded': [...excluded, ...STREAMS_EXCLUDED],
  };
}

/** The service, as both documents describe it. */
export const INFO = {
  title: 'Venue',
  version: 'v1',
  description: [
    'Cash-settled European options. Amounts are decimals in dollars or contracts, exact to a millionth (NUM-2); times are Unix milliseconds, expiries Unix seconds; identity is an Ethereum address.',
    'Every error is `{error}` with a text that an example shows or `x-field-errors` lists, where N stands for a place in a list; the amounts in a text are those of the request. An empty query parameter counts as an absent one. Only a declined order has `{status: "rejected", reason}` instead. Programs tell refusals by the header `x-venue-code`, which each example has as `x-code` and `GET /v1/reasons` explains; texts are for people. `HEAD` answers as `GET` does, without the body; every answer names itself in `x-request-id`.',
    'Each example is a request (`x-request`) that a service with a clock set for the purpose really answered so; `bodyText` is a body that is no JSON, `bodyBytes` one of so many spaces. `x-lengths` says how long a list was of which only the first rows are shown, `x-masked` what is replaced because it differs from run to run, `x-unreached` why no request brings an error about. `x-rate-limit` is what the edge allows each client address; the service itself answers 429 only when a session key has too many nonces in flight.',
  ].join('\n\n'),
  contact: { name: 'The maintainers of Venue' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const;

const SECURITY_SCHEMES = {
  paperToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-paper-token',
    description: 'The token that signing in or approving a session key answered; it lives 24 hours (AUTH-2).',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token in the other header.' },
};

const STREAMS_EXCLUDED = ['/ws', '/v1/stream'].map((path) => ({
  method: 'GET',
  path,
  reason: 'an upgrade to a WebSocket, which has no answer to describe; its messages are in /asyncapi.yaml',
}));

interface Parts {
  readonly components: Components;
  readonly examples: readonly Example[];
}

function operationOf(route: Route, description: Description, parts: Parts): Operation {
  const { components } = parts;
  const { path, access, modes, query, body } = route;
  const { id, tag, summary, text, answers } = description;
  const security = SECURITY[access];
  const fieldErrors = fieldErrorsOf(route);
  const parameters = [
    ...pathParametersOf(path),
    ...(query ? parametersOf(query as TObject, components) : []),
    ...(route.signsBytes ? SIGNING_HEADERS : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: text,
    'x-rate-limit': rateLimitOf(path),
    ...(modes ? { 'x-funding-modes': modes } : {}),
    ...(security ? { security } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { 'x-body-bytes-max': bodyLimitOf(route), requestBody: requestBodyOf(route, body, parts) }
      : {}),
    ...(fieldErrors.length > 0 ? { 'x-field-errors': fieldErrors } : {}),
    responses: responsesOf(route, parts),
    ...(answers?.[400] ? { 'x-unreached-reasons': Object.fromEntries(UNREACHED_REASONS) } : {}),
  };
}

/** With recorded bodies that were answered with 200, as examples to try. */
function requestBodyOf(
  { takesQuoteBytes }: Route,
  schema: TSchema,
  { components, examples }: Parts,
): NonNullable<Operation['requestBody']> {
  const bodies = examples
    .filter(({ status }) => status === 200)
    .map(({ name, summary, request }) => [name, { summary, value: request.body }]);
  const media = { schema: components.refer(schema), examples: Object.fromEntries(bodies) };
  const bytes = takesQuoteBytes && {
    [QUOTES_CONTENT_TYPE]: { schema: { type: 'string', format: 'binary' } },
  };
  return { required: true, content: { 'application/json': media, ...bytes } };
}

/** All three, or none where a token will do (QTS-1). */
const SIGNING_HEADERS: readonly Parameter[] = [
  ['x-session-key', '^0x[0-9a-fA-F]{40}$'],
  ['x-nonce', '^(0|[1-9][0-9]{0,15})$'],
  ['x-signature', '^0x[0-9a-fA-F]{130}$'],
].map(([name, pattern]) => ({
  name: name!,
  in: 'header',
  required: false,
  schema: { type: 'string', pattern },
}));

function pathParametersOf(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function parametersOf({ properties, required }: TObject, components: Components): Parameter[] {
  const needed: readonly string[] = required ?? [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    ...(!needed.includes(name) && { allowEmptyValue: true }),
    schema: components.refer(schema),
  }));
}

/** One entry per status: the recorded answers, plus the text and reason of errors that no request can cause. */
function responsesOf(route: Route, parts: Parts): Operation['responses'] {
  const shown = [...parts.examples.map(shownOf), ...unreachedOf(route)];
  const statuses = [...new Set([200, ...shown.map(({ status }) => status)])].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = Map.groupBy(
        shown.filter((example) => example.status === status),
        ({ contentType }) => contentType,
      );
      const schema = schemaOf(route, { status, components: parts.components });
      const content = {
        [JSON_CONTENT]: { schema, examples: named(own.get(JSON_CONTENT) ?? []) },
        ...(own.has(CSV_CONTENT) && {
          [CSV_CONTENT]: { schema: { type: 'string' }, examples: named(own.get(CSV_CONTENT)!) },
        }),
      };
      return [status, { description: DESCRIPTIONS.get(status) ?? 'Refused', content }];
    }),
  );
}

const JSON_CONTENT = 'application/json';
const CSV_CONTENT = 'text/csv';

type Shown = Pick<Example, 'status' | 'name' | 'contentType'> & { readonly example: DocumentedExample };

function shownOf(example: Example): Shown {
  const { status, name, contentType } = example;
  return { status, name, contentType, example: documented(example) };
}

function unreachedOf(route: Route): Shown[] {
  return [...errorsOf(route)].flatMap((name) => {
    const reason = UNREACHED.get(name);
    if (reason === undefined) return [];
    const { status, error, code } = MESSAGES[name];
    const example = { summary: error, value: { error }, 'x-code': code, 'x-unreached': reason };
    return [{ status, name, contentType: JSON_CONTENT, example }];
  });
}

function named(shown: readonly Shown[]): Record<string, DocumentedExample> {
  return Object.fromEntries(shown.map(({ name, example }) => [name, example]));
}

interface Answered {
  readonly status: number;
  readonly components: Components;
}

/** The row's schema for a 200 and the error schema for any other status, unless its description overrides it. */
function schemaOf(route: Route, { status, components }: Answered): unknown {
  const own = descriptionOf(route)?.answers?.[status];
  if (status === 200) return components.refer(own ?? route.answer);
  const error = components.refer(ErrorBodySchema);
  return own === undefined ? error : { anyOf: [components.refer(own), error] };
}

const DESCRIPTIONS: ReadonlyMap<number, string> = new Map([
  [200, 'Done'],
  [400, 'Malformed or declined; do not repeat it unchanged'],
  [401, 'Not authenticated. Fix the cause before retrying'],
  [403, 'Proved to be somebody else'],
  [404, 'No such thing, or not in this funding mode'],
  [413, 'The body is over its limit'],
  [415, 'The body is in a content coding'],
  [429, 'Too many nonces in flight on the session key; repeat with a fresh one'],
  [500, 'A fault of the service; repeat a read after a while, and look before you repeat a write'],
]);
