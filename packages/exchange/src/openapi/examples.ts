/** Recorded requests and answers, and how they stand in the contract. */

export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is no JSON, as it went out. */
  readonly bodyText?: string;
  /** So many spaces as a body. */
  readonly bodyBytes?: number;
}

/** One request and what the service answered it. */
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
  /** What in the answer is not as it came, as it differs from run to run. */
  readonly masked?: string;
}

/** An answer with its long lists cut, and how long they were. */
export interface Shortened {
  readonly value: unknown;
  /** Lengths by JSON pointer; empty when nothing was cut. */
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

/** As the contract holds an example of an answer. */
export interface DocumentedExample {
  readonly summary: string;
  readonly value?: unknown;
  /** The request that was answered so. */
  readonly 'x-request'?: ExampleRequest;
  /** Lengths of the lists of which only the first rows stand here, by JSON pointer. */
  readonly 'x-lengths'?: Readonly<Record<string, number>>;
  /** What in it is not as it came, as it differs from run to run. */
  readonly 'x-masked'?: string;
  /** Why there is no request that brings it about. */
  readonly 'x-unreached'?: string;
}

export function documented({ summary, request, answer, masked }: Example): DocumentedExample {
  const { value, lengths } = shorten(answer);
  return {
    summary,
    value,
    'x-request': request,
    ...(masked !== undefined && { 'x-masked': masked }),
    ...(Object.keys(lengths).length > 0 && { 'x-lengths': lengths }),
  };
}
