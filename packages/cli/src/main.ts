/** The `venue` command. */

import { run } from './run.ts';

const code = await run(process.argv.slice(2));
if (code !== null) process.exit(code);
