/** The `venue` command. */

import { program } from './program.ts';
import { refusal } from './refusal.ts';

try {
  await program().parseAsync();
} catch (error) {
  process.stderr.write(`venue: ${refusal(error)}\n`);
  process.exit(1);
}
