/** Converts a YAML file to JSON in its own thread: it takes a tenth of a second, and no order should wait for it. */

import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'yaml';

parentPort!.postMessage(JSON.stringify(parse(readFileSync(workerData as string, 'utf8'))));
