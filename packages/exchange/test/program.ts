/** The program that tests run as a separate process. */

import { runExchange } from '../src/index.ts';

await runExchange();
