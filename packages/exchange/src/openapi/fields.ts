/** Derives an operation's errors for malformed fields from the schemas that requests are checked against. */

import type { TSchema } from 'typebox';
import { descriptionOf, type Route } from '../http/route.ts';

/**
 * All error texts for single fields, in alphabetical order, in addition to those of the catalogue. N stands for an
 * index in a list.
 *
 * @example fieldErrorsOf(tapeRoute) // ['symbol malformed', 'symbol must be a string', 'symbol required']
 */
export function fieldErrorsOf(route: Route): string[] {
  const { query, body, readsBody, signsBytes } = route;
  const { explains, fieldErrors = [] } = descriptionOf(route) ?? {};
  const texts = [
    ...(query ? propertiesOf('', query, new Set()) : []),
    ...(body ? ['body required', 'body must be a JSON object'] : []),
    ...(signsBytes ? PUSH_ERRORS : []),
    ...(readsBody ? (explains === undefined ? BATCH_ERRORS : []) : body ? bodyErrors(body, new Set()) : []),
    ...fieldErrors,
    ...(explains ?? []).flatMap(({ schema, has }) => bodyErrors(schema, new Set(has))),
  ];
  return [...new Set(texts)].sort();
}

/** The messages for bodies that their route reads by itself and whose operations it does not name (DET-1); other faults name action and field. */
const BATCH_ERRORS = [
  'actions required',
  'actions malformed',
  'actions[N] malformed',
  'sessionKey malformed',
];

/** Errors of a push to a set: its number is in the path, its signing fields in headers; rows fail one by one. */
const PUSH_ERRORS = [
  'set malformed',
  'sessionKey malformed',
  'rows required',
  'rows must be an array',
  'rows beside quotes malformed',
];

/** The parts of a schema that requests use. */
interface Shape {
  readonly type?: string;
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly minLength?: number;
}

/** Together the three have messages of their own (AUTH-3); the last two have no others. */
const SIGNING_FIELDS = ['sessionKey', 'nonce', 'signature'];

function bodyErrors(schema: TSchema, has: ReadonlySet<string>): string[] {
  const { properties = {} } = schema as Shape;
  if (!SIGNING_FIELDS.every((field) => field in properties)) return propertiesOf('', schema, has);
  const rest = Object.entries(properties).filter(([field]) => !SIGNING_FIELDS.includes(field));
  const unsigned = { ...schema, properties: Object.fromEntries(rest) };
  return [...propertiesOf('', unsigned, has), 'sessionKey malformed'];
}

/** `has` lists fields that select this schema, so they are always present. */
function propertiesOf(path: string, schema: TSchema, has: ReadonlySet<string>): string[] {
  const { properties = {}, required = [] } = schema as Shape;
  return Object.entries(properties).flatMap(([name, of]) => {
    const field = path === '' ? name : `${path}.${name}`;
    const isNeeded = required.includes(name) && !has.has(name);
    return [...(isNeeded ? [`${field} required`] : []), ...valueErrors(field, of)];
  });
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['boolean', 'true or false'],
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['array', 'an array'],
  ['object', 'a JSON object'],
]);

function valueErrors(field: string, schema: TSchema): string[] {
  const { type = '', anyOf, items, minItems, minLength } = schema as Shape;
  if (anyOf?.every((choice) => 'const' in choice))
    return [`${field} must be ${anyOf.map((choice) => choice.const).join(' or ')}`];
  // Any value will do.
  if (type === '' && anyOf === undefined) return [];
  const name = TYPES.get(type);
  if (name === undefined) throw new Error(`${field}: no words for ${JSON.stringify(schema)}`);
  return [
    `${field} must be ${name}`,
    ...(minItems || minLength ? [`${field} must not be empty`] : []),
    ...(hasForm(schema) ? [`${field} malformed`] : []),
    ...(items ? valueErrors(`${field}[N]`, items) : []),
    ...(type === 'object' ? propertiesOf(field, schema, new Set()) : []),
  ];
}

/** Returns whether a value of the right type may still be wrong; an integer may, outside the exact range. */
function hasForm(schema: TSchema): boolean {
  const forms = ['pattern', 'maxLength', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum'];
  return (schema as Shape).type === 'integer' || forms.some((form) => form in schema);
}
