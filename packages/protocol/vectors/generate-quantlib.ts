/** Writes `quantlib.json`: what QuantLib, from Debian's quantlib-python, makes of the first options of `vectorTerms`. */

import { writeFileSync } from 'node:fs';
import { vectorTerms } from '../test/black76-vectors.ts';
import { quantlibValues } from '../test/quantlib.ts';

const COUNT = 300;

const values = quantlibValues(vectorTerms(COUNT).map(({ minutes: _, ...option }) => option));
const lines = values.map((value) => JSON.stringify(value)).join(',\n');
writeFileSync(new URL('quantlib.json', import.meta.url), `[\n${lines}\n]\n`);
