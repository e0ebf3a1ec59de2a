/**
 * Traces requests with OpenTelemetry and sends the spans to a collector by OTLP. Its libraries load only when tracing
 * is on, and are installed only where somebody asked for them.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Tracer } from '@opentelemetry/api';

export interface TracingOptions {
  /** The collector's OTLP endpoint over HTTP, like `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** The share of requests to trace, from 0 to 1; a trace started by a caller follows the caller's sampling decision. */
  readonly share: number;
  /** Names this process in the traces. */
  readonly service: string;
}

export interface TracedRequest {
  readonly method: string;
  /** The pattern of the path, never the path itself: a query may contain a token. */
  readonly route: string;
  readonly requestId: string;
  /** A caller's W3C trace context. */
  readonly traceparent: string | undefined;
}

/** One request's trace; later stages can add their spans to it. */
export interface Trace {
  /** Adds a finished span; times are from `performance.now()`. */
  add(name: string, times: { startMs: number; endMs: number }, attributes?: Attributes): void;
}

type Attributes = Readonly<Record<string, string | number>>;

export interface Tracing {
  /** Runs the work of a request in its own span, and returns its result. */
  request<T extends { readonly status: number }>(what: TracedRequest, work: () => Promise<T>): Promise<T>;
  /** The current request's trace; null outside a request and when it is not sampled. */
  current(): Trace | null;
  /** Sends the remaining spans, waiting at most a second. */
  close(): Promise<void>;
}

const SENT_AT_ONCE_MAX = 512;
const WAITING_SPANS_MAX = 8_192;
const CLOSE_MS = 1_000;
const HOW_TO_INSTALL =
  'VENUE_TRACE_URL needs the packages of OpenTelemetry: node scripts/install.mjs --production --tracing adds them';

/** Tracing is on, and its libraries are not installed; the message is one line. */
export class TracingMissingError extends Error {
  override name = 'TracingMissingError';
}

const importLibraries = () =>
  Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);

/** Loads what traces need. Rejects with `TracingMissingError` where it is not installed. */
export function loadTracing(load = importLibraries): ReturnType<typeof importLibraries> {
  return load().catch((error) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new TracingMissingError(HOW_TO_INSTALL) : error;
  });
}

/** Turns tracing on. If the collector cannot be reached, spans are dropped and nothing else happens. Rejects as `loadTracing`. */
export async function openTracing({ url, share, service }: TracingOptions): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await loadTracing();
  const processor = new sdk.BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url }),
    maxExportBatchSize: SENT_AT_ONCE_MAX,
    maxQueueSize: WAITING_SPANS_MAX,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [processor],
  });
  return new OtlpTracing(api, provider.getTracer('venue'), () => provider.shutdown());
}

class RequestTrace implements Trace {
  readonly #tracer: Tracer;
  readonly #parent: Context;

  constructor(tracer: Tracer, parent: Context) {
    this.#tracer = tracer;
    this.#parent = parent;
  }

  add(
    name: string,
    { startMs, endMs }: { startMs: number; endMs: number },
    attributes: Attributes = {},
  ): void {
    this.#tracer.startSpan(name, { startTime: startMs, attributes }, this.#parent).end(endMs);
  }
}

class OtlpTracing implements Tracing {
  readonly #api: typeof import('@opentelemetry/api');
  readonly #tracer: Tracer;
  readonly #shutDown: () => Promise<void>;
  readonly #current = new AsyncLocalStorage<Trace>();

  constructor(api: typeof import('@opentelemetry/api'), tracer: Tracer, shutDown: () => Promise<void>) {
    this.#api = api;
    this.#tracer = tracer;
    this.#shutDown = shutDown;
  }

  current(): Trace | null {
    return this.#current.getStore() ?? null;
  }

  async request<T extends { readonly status: number }>(
    { method, route, requestId, traceparent }: TracedRequest,
    work: () => Promise<T>,
  ): Promise<T> {
    const { trace, SpanKind, SpanStatusCode } = this.#api;
    const parent = this.#parentOf(traceparent);
    const attributes = { 'http.request.method': method, 'http.route': route, 'venue.request_id': requestId };
    const span = this.#tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    if (!span.isRecording()) return work();
    try {
      const held = new RequestTrace(this.#tracer, trace.setSpan(parent, span));
      const answer = await this.#current.run(held, work);
      span.setAttribute('http.response.status_code', answer.status);
      if (answer.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      return answer;
    } finally {
      span.end();
    }
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.#shutDown().catch(() => {}), promise]).finally(() => clearTimeout(timer));
  }

  #parentOf(traceparent: string | undefined): Context {
    const { ROOT_CONTEXT, trace } = this.#api;
    const found = TRACEPARENT.exec(traceparent ?? '');
    if (found === null) return ROOT_CONTEXT;
    const [, traceId, spanId, flags] = found;
    const caller = {
      traceId: traceId!,
      spanId: spanId!,
      traceFlags: Number.parseInt(flags!, 16),
      isRemote: true,
    };
    return this.#api.isSpanContextValid(caller) ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
