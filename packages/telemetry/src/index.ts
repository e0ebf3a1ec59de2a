/** Metrics and traces, for every process of the venue. */

export { createRegistry, type ProcessName } from './registry.ts';
export { MetricsPortError, type ServedMetrics, serveMetrics, whileServing } from './serve.ts';
export {
  loadTracing,
  openTracing,
  type Trace,
  type TracedRequest,
  type Tracing,
  TracingMissingError,
  type TracingOptions,
} from './tracing.ts';
