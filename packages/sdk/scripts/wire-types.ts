/**
 * Generates TypeScript declarations of the wire objects from their schemas, so that users of the sdk need no schema
 * library.
 */

import * as wire from '@venue/protocol/wire';

/** The parts of a schema that are read. */
interface Schema {
  readonly type?: string;
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The schema of a record's values. */
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** Types that schemas cannot express, by object and field. */
const FINER = new Map([['OrderRejected.reason', 'RejectReason']]);

/** Fields that hold a code, by the content of their schemas: their types are declared apart. */
const CODES = new Map([
  [JSON.stringify(wire.ReasonSchema.properties.code), 'VenueCode'],
  [JSON.stringify(wire.PlaceResultSchema.properties.code), 'ReasonCode'],
]);

const SCALARS = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

const SCHEMAS = new Map<string, Schema>([
  ...[...wire.ACTION_SCHEMAS].map(([name, schema]) => [`${name}Wire`, schema as Schema] as const),
  ...Object.entries(wire)
    .filter(([name]) => name.endsWith('Schema'))
    .map(([name, schema]) => [name.slice(0, -'Schema'.length), schema as Schema] as const),
]);

/** Names of the schemas that get a name of their own, by content. */
const NAMES = new Map(
  [...SCHEMAS]
    .filter(([, { properties }]) => properties)
    .map(([name, schema]) => [JSON.stringify(schema), name]),
);

/**
 * Declarations of the named wire types and of all their parts. Throws for a name without a schema.
 *
 * @example wireTypes(['Level']) // 'export type Level = {\n  …'
 */
export function wireTypes(names: Iterable<string>): string {
  const declared = new Map<string, string>();
  const wanted = [...names];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (declared.has(name)) continue;
    const schema = SCHEMAS.get(name);
    if (schema === undefined) throw new Error(`the wire type ${name} has no schema`);
    declared.set(
      name,
      declaration(name, schema, (other) => wanted.push(other)),
    );
  }
  return [...declared]
    .sort()
    .map(([, text]) => text)
    .join('\n');
}

type Need = (name: string) => void;

function declaration(name: string, schema: Schema, need: Need): string {
  return `${comment(schema, '')}export type ${name} = ${shape(schema, { owner: name, indent: '', need })};\n`;
}

interface Place {
  readonly owner: string;
  readonly indent: string;
  readonly need: Need;
}

/** The type of a schema where it is used: its name, if it has one. */
function typeOf(schema: Schema, place: Place): string {
  const content = JSON.stringify(schema);
  const code = CODES.get(content);
  if (code !== undefined) return code;
  const name = NAMES.get(content);
  if (name === undefined) return shape(schema, place);
  place.need(name);
  return name;
}

function shape(schema: Schema, place: Place): string {
  const { type, anyOf, items, properties, patternProperties } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (anyOf !== undefined) return anyOf.map((option) => typeOf(option, place)).join(' | ');
  if (properties !== undefined) return objectShape(schema, place);
  if (Array.isArray(items)) return `[${items.map((item) => typeOf(item, place)).join(', ')}]`;
  if (items !== undefined) return `(${typeOf(items as Schema, place)})[]`.replace(/^\((\w+)\)/, '$1');
  const [values] = Object.values(patternProperties ?? {});
  if (values !== undefined) return `Record<string, ${typeOf(values, place)}>`;
  const scalar = SCALARS.get(type ?? '');
  if (scalar === undefined)
    throw new Error(`${place.owner} has a schema without a type: ${JSON.stringify(schema)}`);
  return scalar;
}

function objectShape({ properties = {}, required = [] }: Schema, { owner, indent, need }: Place): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([field, schema]) => {
    const optional = required.includes(field) ? '' : '?';
    const type =
      FINER.get(`${owner}.${field}`) ?? typeOf(schema, { owner: `${owner}.${field}`, indent: inner, need });
    return `${comment(schema, inner)}${inner}${field}${optional}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** A nullable schema has its description on the non-null part. */
function comment({ anyOf, description = anyOf?.[0]?.description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`;
}
