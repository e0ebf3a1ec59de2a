/** The `venue` command, as a program that can be parsed. */

export { program } from './program.ts';
