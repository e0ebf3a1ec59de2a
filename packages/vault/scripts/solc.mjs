#!/usr/bin/env node
/**
 * The compiler from npm under the two commands by which forge calls a native one. Plain JavaScript, as forge starts
 * it with the machine's own Node. Sources that forge does not hand over are read from disk, as a native one would.
 */
import { readFileSync } from 'node:fs';
import solc from 'solc';

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler\nVersion: ${solc.version()}\n`);
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8'), { import: readSource }));
} else {
  process.stderr.write('solc.mjs knows --version and --standard-json\n');
  process.exitCode = 1;
}

function readSource(path) {
  try {
    return { contents: readFileSync(path, 'utf8') };
  } catch (error) {
    return { error: error.message };
  }
}
