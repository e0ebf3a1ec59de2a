/** `venue init`: every file of a venue on a new machine, from answers; and whether what is there fits together. */

import { join } from 'node:path';
import { VARIABLES, type Variable } from '@venue/config';
import { type Command, InvalidArgumentError } from 'commander';
import type { InitOptions } from './answers.ts';
import { SECRETS } from './places.ts';
import { flagOf, QUESTIONS } from './questions.ts';

const INIT_HELP = `
Writes settings and secrets in /etc/venue, the units of systemd, and the configuration of nginx for this machine, from
the templates of deploy/; then says what people do next. It asks for what no option names, starts nothing, overwrites
nothing, and never shows a secret. Each answer is checked as the process that reads it does. docs/how-to/deploy.md has the
whole way.

--check looks at what is there instead: every process as its unit starts it, secrets, units, prices, certificate.

Examples:
  venue init --name venue.example.com --feed-source simulated
  venue init --real-money --name venue.example.com --feed-source crypto,pyth --vault vault.json \\
    --rpc-urls-file rpc-urls --vault-operator-key-file operator-key \\
    --operator ann=operate,settle --operator bo=custody,settle
  venue init --check
`;

export function addInitCommand(venue: Command): void {
  const init = venue
    .command('init')
    .description('set up a venue on this machine: settings, secrets, units')
    .option('--real-money', 'for deposits of a vault on a chain, instead of paper money')
    .option('--name <name>', 'the name under which clients reach the venue')
    .option('--vault <file>', 'with --real-money: the file that "venue vault deploy" wrote')
    .option(
      '--operator <name=roles>',
      'with --real-money: a person with a name, such as ann=operate,settle; once for each',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--root <folder>', 'the root of the file system to write into', rootFolder, '/')
    .option('--check', 'look whether all that is there fits together; ends with 1 if not');
  for (const question of QUESTIONS) {
    const { meaning, secret }: Variable = VARIABLES[question.variable];
    const money = question.isOfRealMoney ? 'with --real-money: ' : '';
    init.option(
      `${flagOf(question)} ${secret ? '<file>' : '<value>'}`,
      `${money}${secret ? 'a file with ' : ''}${meaning}`,
    );
  }
  init.addHelpText('after', INIT_HELP).action(runInitCommand);
}

/** An unset variable of a shell must not mean this very machine. */
function rootFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('it must name a folder');
  return text;
}

async function runInitCommand(options: InitOptions): Promise<void> {
  if (options.check) {
    const { checkWhole } = await import('./whole-check.ts');
    const { showFindings } = await import('../base/check.ts');
    return showFindings(await checkWhole(options.root, Date.now()));
  }
  const { answersOf } = await import('./answers.ts');
  const { filesOf } = await import('./layout.ts');
  const { nextSteps } = await import('./next-steps.ts');
  const { writeAll } = await import('./write.ts');
  const answers = await answersOf(options);
  const files = filesOf(answers);
  writeAll(options.root, files);
  const place = (path: string) => join(options.root, path);
  console.log(`wrote ${place(SECRETS)}, with a secret for each task`);
  for (const { path } of files) console.log(`wrote ${place(path)}`);
  for (const line of nextSteps(answers)) console.log(line);
}
