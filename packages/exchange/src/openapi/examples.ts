/** Recorded requests and answers, and their form in the contract. */

export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is not JSON, verbatim. */
  readonly bodyText?: string;
  /** Sends this many spaces as a body. */
  readonly bodyBytes?: number;
}

/** A request and the service's answer. */
export interface Example {
  /** Method and path pattern. */
  readonly operation: string;
  /** Unique among the answers of the operation. */
  readonly name: string;
  readonly summary: string;
  readonly request: ExampleRequest;
  readonly status: number;
  readonly answer: unknown;
  readonly contentType: string;
  /** The code of a refusal (ERR-1). */
  readonly code?: string;
  /** The part of the answer that is masked because it differs from run to run. */
  readonly masked?: string;
}

/** An answer with its long lists cut, and their original lengths. */
export interface Shortened {
  readonly value: unknown;
  /** Lengths by JSON pointer; empty if nothing was cut. */
  readonly lengths: Readonly<Record<string, number>>;
}

const ROWS_SHOWN = 2;
const ROWS_MAX = 4;

/** Cuts lists of more than four rows to two. */
export function shorten(answer: unknown): Shortened {
  const lengths: Record<string, number> = {};
  return { value: cut(answer, '', lengths), lengths };
}

function cut(node: unknown, pointer: string, lengths: Record<string, number>): unknown {
  if (Array.isArray(node)) {
    const isLong = node.length > ROWS_MAX;
    if (isLong) lengths[pointer] = node.length;
    return (isLong ? node.slice(0, ROWS_SHOWN) : node).map((item, i) =>
      cut(item, `${pointer}/${i}`, lengths),
    );
  }
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, cut(value, `${pointer}/${key}`, lengths)]),
  );
}

/** An example of an answer as the contract holds it. */
export interface DocumentedExample {
  readonly summary: string;
  readonly value?: unknown;
  /** The header `x-venue-code` of a refusal. */
  readonly 'x-code'?: string;
  /** The request that received this answer. */
  readonly 'x-request'?: ExampleRequest;
  /** Original lengths, by JSON pointer, of the lists that are cut here. */
  readonly 'x-lengths'?: Readonly<Record<string, number>>;
  /** The part that is masked because it differs from run to run. */
  readonly 'x-masked'?: string;
  /** Why no request can cause it. */
  readonly 'x-unreached'?: string;
}

export function documented({ summary, request, answer, code, masked }: Example): DocumentedExample {
  const { value, lengths } = shorten(answer);
  return {
    summary,
    value,
    ...(code !== undefined && { 'x-code': code }),
    'x-request': request,
    ...(masked !== undefined && { 'x-masked': masked }),
    ...(Object.keys(lengths).length > 0 && { 'x-lengths': lengths }),
  };
}
