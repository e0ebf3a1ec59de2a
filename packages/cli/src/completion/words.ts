/** What the command line knows, as a shell has to know it: taken from the commands themselves, so that it cannot lag. */

import type { Command } from 'commander';

/** What may follow one word of the command, or the command alone. */
export interface Words {
  /** The words before: `` for the command alone, `wallet new` for a command of a group. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly OptionWords[];
  /** Of the first argument, where it is one of a few words. */
  readonly choices: readonly string[];
}

export interface Described {
  readonly word: string;
  readonly description: string;
}

export interface OptionWords extends Described {
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The words of a command and of everything below it, the command first. */
export function wordsOf(command: Command, path = ''): Words[] {
  const commands = command.commands.filter((sub) => sub.name() !== 'help');
  const words: Words = {
    path,
    commands: commands.map((sub) => ({ word: sub.name(), description: sub.description() })),
    options: command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, description, required, optional, argChoices }) =>
        long
          ? [{ word: long, description, takesValue: required || optional, choices: argChoices ?? [] }]
          : [],
      ),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [words, ...commands.flatMap((sub) => wordsOf(sub, `${path} ${sub.name()}`.trim()))];
}
