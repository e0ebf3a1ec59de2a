/** Sends requests and records the answers as examples of the contract. */

import type { Example, ExampleRequest } from '../../src/openapi/examples.ts';
import { ask } from '../ask.ts';
import type { Json } from '../support.ts';
import type { Stage } from './stage.ts';

export interface ScribeOptions {
  /** Replaces a request that a chapter made up; in a replay, with the one from the contract. */
  readonly substitute?: (example: Pick<Example, 'operation' | 'name' | 'request'>) => ExampleRequest;
}

export interface ExampleTerms {
  readonly operation: string;
  readonly name: string;
  readonly summary: string;
  readonly request?: ExampleRequest;
  readonly mask?: Mask;
}

/** Masks the parts of an answer that differ from run to run. */
export interface Mask {
  /** Describes the masked part. */
  readonly what: string;
  readonly apply: (text: string) => string;
}

export class Scribe {
  readonly examples: Example[] = [];
  readonly #substitute: NonNullable<ScribeOptions['substitute']>;

  constructor({ substitute = ({ request }) => request }: ScribeOptions = {}) {
    this.#substitute = substitute;
  }

  /**
   * Sends a request, records it with its answer, and returns the answer. Throws if the operation has an example of
   * that name.
   */
  async record(
    stage: Stage,
    { operation, name, summary, request: made = {}, mask }: ExampleTerms,
  ): Promise<Json> {
    const request = this.#substitute({ operation, name, request: made });
    const { status, contentType, code, answer } = await send(stage, operation, request, mask?.apply);
    if (this.has(operation, name)) throw new Error(`${operation} has an example ${name} already`);
    const masked = mask && { masked: mask.what };
    this.examples.push({
      operation,
      name,
      summary,
      request,
      status,
      answer,
      contentType,
      ...masked,
      ...code,
    });
    return answer;
  }

  has(operation: string, name: string): boolean {
    return this.examples.some((example) => example.operation === operation && example.name === name);
  }
}

/** Sends the request of an example to a service. The operation is a method and a path pattern. */
export async function send(
  stage: Pick<Stage, 'url'>,
  operation: string,
  request: ExampleRequest,
  mask: Mask['apply'] = (text) => text,
): Promise<Pick<Example, 'status' | 'answer' | 'contentType'> & { readonly code: Pick<Example, 'code'> }> {
  const [method, pattern] = operation.split(' ') as [string, string];
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  );
  const query = new URLSearchParams(request.query).toString();
  const body = bodyOf(request);
  const response = await ask(`${stage.url}${path}${query && `?${query}`}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...request.headers },
    ...(body !== undefined && { body }),
  });
  const contentType = response.headers.get('content-type')?.split(';')[0] ?? '';
  const text = mask(response.text);
  const answer = contentType === 'application/json' ? JSON.parse(text) : text;
  const named = response.headers.get('x-venue-code');
  return { status: response.status, contentType, answer, code: named === null ? {} : { code: named } };
}

function bodyOf({ body, bodyText, bodyBytes }: ExampleRequest): string | undefined {
  if (bodyBytes !== undefined) return ' '.repeat(bodyBytes);
  return bodyText ?? (body === undefined ? undefined : JSON.stringify(body));
}
