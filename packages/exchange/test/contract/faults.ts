/** The errors that follow from a route's row alone: its body, its fields, its query, its token. */

import type { TObject, TSchema } from 'typebox';
import { bodyLimitOf, type Route } from '../../src/http/route.ts';
import type { ExampleRequest } from '../../src/openapi/examples.ts';

export interface Fault {
  readonly name: string;
  readonly summary: string;
  readonly request: ExampleRequest;
}

export interface Sound {
  /** A request that would pass; only its shape counts. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Headers of a route that checks a token first. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests with one fault each. Signing fields have their own order of checks, and are left out. */
export function faultsOf(route: Route, sound: Sound): Fault[] {
  return [
    ...(route.body === undefined ? [] : bodyFaults(route, sound)),
    ...(route.query === undefined ? [] : queryFaults(route.query as TObject, sound)),
    ...(route.access === 'bearer' ? tokenFaults(sound) : []),
  ];
}

const SIGNING_FIELDS: ReadonlySet<string> = new Set(['sessionKey', 'nonce', 'signature']);

function bodyFaults(route: Route, { body = {}, headers }: Sound): Fault[] {
  // Of a route that reads one of several bodies by itself, the one that it reads as others are read.
  const { anyOf } = route.body as { readonly anyOf?: readonly TObject[] };
  const schema = (route.readsBody ? anyOf?.[0] : undefined) ?? (route.body as TObject);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>).filter(
    ([field]) => route.access !== 'signed' || !SIGNING_FIELDS.has(field),
  );
  const ask = (request: ExampleRequest) => ({ ...request, ...(headers && { headers }) });
  return [
    {
      name: 'wrongContentType',
      summary: 'A body that is not declared as JSON',
      request: { bodyText: '{}', headers: { ...headers, 'content-type': 'text/plain' } },
    },
    // A route that signs its bytes refuses a coding in words of its own.
    ...(route.signsBytes ? [] : [encodedFault(headers)]),
    { name: 'malformedJson', summary: 'A body that is no JSON', request: ask({ bodyText: '{' }) },
    { name: 'body-required', summary: 'No body', request: ask({ bodyText: '' }) },
    { name: 'body-type', summary: 'A body that is no object', request: ask({ body: [] }) },
    {
      name: 'bodyTooLarge',
      summary: 'A body over the limit',
      request: ask({ bodyBytes: bodyLimitOf(route) + 1 }),
    },
    ...fields.flatMap(([field, of]) =>
      fieldFaults(field, of, schema.required?.includes(field) ?? false).map(({ name, summary, value }) => ({
        name,
        summary,
        request: ask({ body: value === undefined ? without(body, field) : { ...body, [field]: value } }),
      })),
    ),
  ];
}

function encodedFault(headers: Sound['headers']): Fault {
  return {
    name: 'unsupportedEncoding',
    summary: 'A body in a content coding',
    request: {
      bodyText: '{}',
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    },
  };
}

interface FieldFault {
  readonly name: string;
  readonly summary: string;
  /** Undefined for an absent field. */
  readonly value: unknown;
}

const LONG_NAME = 'A'.repeat(65);

function fieldFaults(field: string, schema: TSchema, isRequired: boolean): FieldFault[] {
  const { pattern, maxLength, type, anyOf } = schema as {
    pattern?: string;
    maxLength?: number;
    type?: string;
    anyOf?: object[];
  };
  const malformed = (value: unknown) => ({
    name: `${field}-malformed`,
    summary: `\`${field}\` of the wrong form`,
    value,
  });
  return [
    ...(isRequired ? [{ name: `${field}-required`, summary: `No \`${field}\``, value: undefined }] : []),
    { name: `${field}-type`, summary: `\`${field}\` of the wrong type`, value: null },
    ...(anyOf === undefined
      ? []
      : [{ name: `${field}-unknown`, summary: `\`${field}\` is none of those`, value: 'nowhere' }]),
    ...(pattern === undefined ? [] : [malformed('nowhere')]),
    ...(maxLength === undefined ? [] : [malformed(LONG_NAME)]),
    ...(type === 'integer' ? [malformed(1e300)] : []),
  ];
}

/** A query is text, so only its format can be wrong. */
function queryFaults(schema: TObject, { query = {}, headers }: Sound): Fault[] {
  return Object.entries(schema.properties as Record<string, TSchema>).flatMap(([field, of]) =>
    fieldFaults(field, of, schema.required?.includes(field) ?? false)
      .filter(({ value }) => value !== null)
      .map(({ name, summary, value }) => ({
        name,
        summary,
        request: {
          query: (value === undefined
            ? without(query, field)
            : { ...query, [field]: String(value) }) as Record<string, string>,
          ...(headers && { headers }),
        },
      })),
  );
}

function tokenFaults({ body, query }: Sound): Fault[] {
  const rest = { ...(body && { body }), ...(query && { query }) };
  return [
    { name: 'unknownToken', summary: 'No token', request: rest },
    {
      name: 'conflictingTokens',
      summary: 'Two different tokens',
      request: { ...rest, headers: { 'x-paper-token': 'one', authorization: 'Bearer another' } },
    },
  ];
}

function without(fields: Readonly<Record<string, unknown>>, field: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field));
}
