/** Reads the committed contract back: its examples one by one, each with the schema that it must fit. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OpenApiDocument, Operation } from '../../src/openapi/document.ts';
import type { ExampleRequest } from '../../src/openapi/examples.ts';

export const CONTRACT_FILE = new URL('../../../../docs/reference/openapi.yaml', import.meta.url);

export interface ReadExample {
  readonly operation: string;
  readonly name: string;
  readonly status: number;
  readonly contentType: string;
  readonly value: unknown;
  readonly request: ExampleRequest | undefined;
  readonly lengths: Readonly<Record<string, number>>;
  /** The code of a refusal. */
  readonly code: string | undefined;
  /** Why no request can cause it, or undefined. */
  readonly unreached: string | undefined;
  /** Schema of the answer, with references resolved. */
  readonly schema: object;
}

let known: OpenApiDocument | undefined;

/** Read once by all files of a process, as it takes most of a second. */
export function readContract(): OpenApiDocument {
  known ??= parse(readFileSync(CONTRACT_FILE, 'utf8')) as OpenApiDocument;
  return known;
}

/** `METHOD /path` and the contract's description of it. */
export function operationsOf({ paths }: OpenApiDocument): (readonly [string, Operation])[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
}

export function examplesOf(contract: OpenApiDocument): ReadExample[] {
  return operationsOf(contract).flatMap(([operation, { responses }]) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content).flatMap(([contentType, { schema, examples = {} }]) =>
        Object.entries(examples).map(([name, example]) => ({
          operation,
          name,
          status: Number(status),
          contentType,
          value: example.value,
          request: example['x-request'],
          lengths: example['x-lengths'] ?? {},
          code: example['x-code'],
          unreached: example['x-unreached'],
          schema: resolved(contract, schema),
        })),
      ),
    ),
  );
}

/** A schema with each reference replaced by its target. */
export function resolved(contract: OpenApiDocument, schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema, (_, node) => {
      const name = (node as { $ref?: string } | null)?.$ref?.split('/').at(-1);
      return name === undefined ? node : resolved(contract, contract.components.schemas[name]);
    }),
  );
}
