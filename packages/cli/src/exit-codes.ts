/** With what the command ends; docs/reference/command-line.md lists them for scripts. */

export const EXIT = {
  /** What was asked for was done. */
  done: 0,
  /** The venue or this command refused, or something failed. */
  refused: 1,
  /** The words of the command line are wrong; nothing was sent. */
  usage: 2,
  /** No answer from the venue. */
  unreachable: 3,
  /** A write was sent and no answer came: it may have been carried out. */
  unknown: 4,
  /** Ctrl-C, as shells count it: 128 and the number of the signal. */
  interrupted: 130,
  /** SIGTERM, likewise. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
