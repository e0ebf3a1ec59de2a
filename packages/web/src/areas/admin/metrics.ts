/** Parses a node's `/metrics`, in the text format of Prometheus. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Samples = ReadonlyMap<string, readonly Sample[]>;

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/**
 * Samples by name. Lines that are not samples are skipped.
 *
 * @example parseMetrics('a{b="c"} 1').get('a') // [{ labels: { b: 'c' }, value: 1 }]
 */
export function parseMetrics(text: string): Samples {
  const samples = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const named = [...labels.matchAll(LABEL)].map(([, key, quoted]) => [key!, unescaped(quoted!)]);
    const sample = { labels: Object.fromEntries(named), value: Number(value) };
    const known = samples.get(name);
    if (known === undefined) samples.set(name, [sample]);
    else known.push(sample);
  }
  return samples;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}

/** The value of a metric without labels, or NaN where the node does not export it. */
export function gauge(samples: Samples, name: string): number {
  return samples.get(name)?.[0]?.value ?? Number.NaN;
}
