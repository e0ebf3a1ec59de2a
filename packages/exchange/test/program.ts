/** What a process of its own runs in tests. */

import { runExchange } from '../src/index.ts';

await runExchange();
