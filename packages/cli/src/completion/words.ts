/** The words of the command line for shells, taken from the commands themselves so that they cannot lag behind. */

import type { Command } from 'commander';

/** The words that may follow one subcommand, or the bare command. */
export interface Words {
  /** The preceding words: `` for the bare command, `wallet new` for a command of a group. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly OptionWords[];
  /** Choices of the first argument, if it has a fixed set. */
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
  const { commands } = command;
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
    choices: path === 'help' ? namesBeside(command) : (command.registeredArguments[0]?.argChoices ?? []),
  };
  return [words, ...commands.flatMap((sub) => wordsOf(sub, `${path} ${sub.name()}`.trim()))];
}

/** `help` is followed by any other command. */
function namesBeside(command: Command): string[] {
  return (command.parent?.commands ?? []).map((sub) => sub.name());
}
