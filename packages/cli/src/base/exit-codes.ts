/** Exit codes of the command; docs/reference/command-line.md lists them for scripts. */

export const EXIT = {
  /** The command did what it was asked to. */
  done: 0,
  /** The venue or this command refused, or something failed. */
  refused: 1,
  /** The command line is invalid; nothing was sent. */
  usage: 2,
  /** No answer from the venue. */
  unreachable: 3,
  /** A write was sent and no answer came: it may have been carried out. */
  unknown: 4,
  /** There was nothing to cancel or to close: what the command is for is so already. */
  nothing: 5,
  /** The guard came due before it was renewed: orders have left. */
  lapsed: 6,
  /** Ctrl-C, as shells report it: 128 plus the number of the signal. */
  interrupted: 130,
  /** SIGTERM, likewise. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The word for an exit code in a failure that is printed as JSON, where the error has none of its own. */
export const EXIT_WORDS: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'done',
  [EXIT.refused]: 'refused',
  [EXIT.usage]: 'usage',
  [EXIT.unreachable]: 'unreachable',
  [EXIT.unknown]: 'outcome-unknown',
  [EXIT.nothing]: 'nothing-to-cancel',
  [EXIT.lapsed]: 'guard-lapsed',
  [EXIT.interrupted]: 'interrupted',
  [EXIT.terminated]: 'terminated',
};
