/** Completion scripts for bash, zsh and fish to source. */

import type { Shell } from './shells.ts';
import type { OptionWords, Words } from './words.ts';

/** The script for a shell. */
export function completionScript(shell: Shell, words: readonly Words[]): string {
  return SCRIPTS[shell](words);
}

const SCRIPTS: Readonly<Record<Shell, (words: readonly Words[]) => string>> = { bash, zsh, fish };

/** Finds which words before the cursor make up the command; options and their values do not. */
const PATH_LOOP = (groups: readonly string[]) => `  local at='' word
  for word in "\${before[@]}"; do
    case "$at $word" in
${groups.map((path) => `      '${path.includes(' ') ? path : ` ${path}`}') at='${path}' ;;`).join('\n')}
    esac
  done`;

function paths(words: readonly Words[]): string[] {
  return words.map(({ path }) => path).filter((path) => path !== '');
}

/** The completions of each command, as the arms of a case. */
function arms(words: readonly Words[]): string {
  return words
    .map(({ path, commands, options, choices }) => {
      const offered = [...commands.map(({ word }) => word), ...choices, ...options.map(({ word }) => word)];
      return `    '${path}') words='${offered.join(' ')}' ;;`;
    })
    .join('\n');
}

/** Completions for an option's value: its choices, or else file names. */
function valueArms(words: readonly Words[], files: string): string {
  const taking = words.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map((option) => ({ path, option })),
  );
  return taking
    .map(({ path, option }) => `    '${path} ${option.word}') ${valueAction(option, files)} ;;`)
    .join('\n');
}

function valueAction({ choices }: OptionWords, files: string): string {
  return choices.length > 0 ? `words='${choices.join(' ')}'` : files;
}

function bash(words: readonly Words[]): string {
  return `# bash completion of venue: source <(venue completion bash)
_venue() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" words=''
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD - 1}")
${PATH_LOOP(paths(words))}
  case "$at $previous" in
${valueArms(words, 'compopt -o default; COMPREPLY=(); return')}
  esac
  [ -n "$words" ] || case "$at" in
${arms(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _venue venue
`;
}

function zsh(words: readonly Words[]): string {
  return `#compdef venue
# zsh completion of venue: source <(venue completion zsh), or save it as _venue in a folder of $fpath
_venue_words() {
  local previous="\${words[CURRENT - 1]}" offered=''
  local -a before=("\${(@)words[2,CURRENT - 1]}")
${PATH_LOOP(paths(words))}
  case "$at $previous" in
${valueArms(words, '_files; return').replaceAll("words='", "offered='")}
  esac
  [[ -n "$offered" ]] || case "$at" in
${arms(words).replaceAll("words='", "offered='")}
  esac
  compadd -- \${=offered}
}
if [[ -n "$functions[compdef]" ]]; then compdef _venue_words venue; fi
if [[ "$funcstack[1]" = _venue ]]; then _venue_words "$@"; fi
`;
}

function fish(words: readonly Words[]): string {
  const lines = words.flatMap(({ path, commands, options, choices }) => {
    const when = `-n '__venue_path "${path}"'`;
    return [
      ...commands.map((sub) => `complete -c venue ${when} -f -a ${sub.word} -d ${fishText(sub.description)}`),
      ...choices.map((choice) => `complete -c venue ${when} -f -a ${choice}`),
      ...options.map((option) => {
        const value = option.takesValue ? ' -r' : '';
        const among = option.choices.length > 0 ? ` -f -a ${fishText(option.choices.join(' '))}` : '';
        return `complete -c venue ${when} -l ${option.word.slice(2)}${value}${among} -d ${fishText(option.description)}`;
      }),
    ];
  });
  return `# fish completion of venue: venue completion fish | source
function __venue_path
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
${paths(words)
  .map((path) => `      case '${path.includes(' ') ? path : ` ${path}`}'\n        set at '${path}'`)
  .join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
complete -c venue -f
${lines.join('\n')}
`;
}

function fishText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
