/** The activity of a browser's main thread, from its trace: scripting per frame, rendering per update, long tasks. */

/** An event in Chromium's trace format; times in µs. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The part of `dur` in which the thread had a processor: on a shared machine, the page's own cost. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export const TRACE_CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'v8.execute',
  'disabled-by-default-v8.gc',
  'toplevel',
];

const SCRIPTING = new Set([
  ...['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'EventDispatch'],
  ...['RunMicrotasks', 'MinorGC', 'MajorGC', 'V8.GCScavenger', 'V8.GCFinalizeMC', 'v8.callFunction'],
]);
const RENDERING = new Set([
  ...['UpdateLayoutTree', 'RecalculateStyles', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit'],
]);
const TASKS = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);
const FRAME_US = 16_667;
const UPDATE_US = 250_000;
/** A frame with less scripting than this was idle, and would only improve the average. */
const BUSY_US = 200;

export interface MainThread {
  /** ms of scripting in each frame that had some, ascending. */
  readonly scriptMs: readonly number[];
  /** ms of style, layout and paint in each quarter of a second, ascending. */
  readonly renderMs: readonly number[];
  /** ms of every task, whatever it did, ascending. */
  readonly taskMs: readonly number[];
}

/** Clock for durations: `thread` is the thread's own processor time, which does not see a slowed-down processor. */
export type TraceClock = 'thread' | 'wall';

/** Reads the busiest page in a trace. */
export function readTrace(trace: Buffer, clock: TraceClock): MainThread {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const threads = mains.map(({ pid, tid }) =>
    traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X'),
  );
  const events = threads.reduce((most, one) => (one.length > most.length ? one : most), []);
  const named = (names: ReadonlySet<string>) =>
    outermost(
      events.filter(({ name }) => names.has(name)),
      clock,
    );
  const script = named(SCRIPTING);
  const busy = perWindow(script, FRAME_US).filter((us) => us >= BUSY_US);
  return {
    scriptMs: busy.map((us) => us / 1_000).sort((a, b) => a - b),
    renderMs: perWindow(named(RENDERING), UPDATE_US)
      .map((us) => us / 1_000)
      .sort((a, b) => a - b),
    taskMs: named(TASKS)
      .map(({ takenUs }) => takenUs / 1_000)
      .sort((a, b) => a - b),
  };
}

export function quantile(ascending: readonly number[], q: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(q * ascending.length))] ?? Number.NaN;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly takenUs: number;
}

/** Events are nested: returns the outermost, which cover the rest. */
function outermost(events: readonly TraceEvent[], clock: TraceClock): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const { ts, dur = 0, tdur = dur } of events.toSorted(
    (a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0),
  )) {
    if (ts < end) continue;
    end = ts + dur;
    spans.push({ from: ts, to: end, takenUs: clock === 'thread' ? tdur : dur });
  }
  return spans;
}

/** The part of the spans within each window of that length, from the first to the last. */
function perWindow(spans: readonly Span[], windowUs: number): number[] {
  const first = spans[0]?.from ?? 0;
  const sums: number[] = [];
  for (const { from, to, takenUs } of spans) {
    for (let at = from; at < to; ) {
      const index = Math.floor((at - first) / windowUs);
      const end = Math.min(to, first + (index + 1) * windowUs);
      sums[index] = (sums[index] ?? 0) + (takenUs * (end - at)) / (to - from);
      at = end;
    }
  }
  return Array.from(sums, (sum) => sum ?? 0);
}
