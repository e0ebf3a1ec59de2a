/** Writes `black76.json`: terms of options, and the bits of their prices and greeks that every machine must give. */

import { writeFileSync } from 'node:fs';
import { bitsOf, digestOfVectors, vectorTerms } from '../test/black76-vectors.ts';

const ROWS = 60;
const COUNT = 10_000;

const limits = [
  { right: 'C', forward: 100, strike: 100, years: 1, vol: 0.2 },
  { right: 'P', forward: 0, strike: 100, years: 1, vol: 0.5 },
  { right: 'C', forward: 105, strike: 100, years: 0, vol: 0.5 },
  { right: 'P', forward: 90, strike: 100, years: 1, vol: 0 },
] as const;
const rows = [...limits, ...vectorTerms(ROWS).map(({ minutes: _, ...terms }) => terms)].map((terms) => ({
  terms,
  bits: bitsOf(terms),
}));
const vectors = { count: COUNT, digest: digestOfVectors(COUNT), rows };
writeFileSync(new URL('black76.json', import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`);
