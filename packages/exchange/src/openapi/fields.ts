/** What an operation answers to a field of the wrong shape, from the schemas that requests are checked against. */

import type { TSchema } from 'typebox';
import type { Route } from '../http/route.ts';
import type { Note } from './notes.ts';

/**
 * The texts of every error of a single field, in alphabetical order, beside those of the catalogue. N stands for a place in
 * a list.
 *
 * @example fieldErrorsOf(tapeRoute, undefined) // ['symbol malformed', 'symbol must be a string', 'symbol required']
 */
export function fieldErrorsOf(
  { query, body }: Pick<Route, 'query' | 'body'>,
  note: Note | undefined,
): string[] {
  const texts = [
    ...(query ? propertiesOf('', query, new Set()) : []),
    ...(body ? ['body required', 'body must be a JSON object', ...bodyErrors(body, new Set())] : []),
    ...(note?.explains ?? []).flatMap(({ schema, has }) => bodyErrors(schema, new Set(has))),
  ];
  return [...new Set(texts)].sort();
}

/** As much of a schema as requests make use of. */
interface Shape {
  readonly type?: string;
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly minLength?: number;
}

/** Of these the three together have messages of their own (AUTH-3), and the last two no others. */
const SIGNING_FIELDS = ['sessionKey', 'nonce', 'signature'];

function bodyErrors(schema: TSchema, has: ReadonlySet<string>): string[] {
  const { properties = {} } = schema as Shape;
  if (!SIGNING_FIELDS.every((field) => field in properties)) return propertiesOf('', schema, has);
  const rest = Object.entries(properties).filter(([field]) => !SIGNING_FIELDS.includes(field));
  const unsigned = { ...schema, properties: Object.fromEntries(rest) };
  return [...propertiesOf('', unsigned, has), 'sessionKey malformed'];
}

/** `has` are fields without which it would not have come to this schema. */
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

/** Whether a value of the right type may be wrong all the same; an integer is, outside the range in which integers are exact. */
function hasForm(schema: TSchema): boolean {
  const forms = ['pattern', 'maxLength', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum'];
  return (schema as Shape).type === 'integer' || forms.some((form) => form in schema);
}
