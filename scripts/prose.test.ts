/** The prose rules find their targets in pages, code, contracts and settings, and leave other text alone. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proseFaults, sourceFaults } from './prose.ts';

const OPENING = 'For traders. After this page you can buy an option.';

for (const [fault, sentence, place] of [
  ['a repeated word', 'The log has the the entry.', 5],
  ['a wrong article', 'It is a entry.', 5],
  ['a headless sentence', 'Whoever holds the log proves it.', 5],
  ['a phrase with a plainer form', 'The file is made anew.', 5],
] as const)
  test(`finds ${fault}`, async () => {
    const faults = await proseFaults('docs/x.md', `# X\n\n${OPENING}\n\n${sentence}\n`);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.ok(faults[0]!.startsWith(`docs/x.md:${place}: `));
  });

test('leaves plain prose, code and questions alone', async () => {
  const page = `# X\n\n${OPENING}\n\nThe log has an entry. \`the the\` is code.\n\n    a entry made anew\n\nWho signed?\n`;
  assert.deepEqual(await proseFaults('docs/x.md', page), []);
});

test("a page's first lines state its readers and what they can do after it", async () => {
  const faults = await proseFaults('docs/x.md', '# X\n\nThis is about the log.\n');
  assert.equal(faults.length, 1);
  assert.match(faults[0]!, /for whom/);
  assert.deepEqual(await proseFaults('README.md', '# X\n\nAn exchange.\n'), []);
});

for (const [kind, path, text, line] of [
  ['a doc comment', 'a.ts', 'const a = 1;\n/**\n * The log is kept for\n * ever.\n */\n', 3],
  ['a comment', 'a.ts', 'const quote = /[\'"`]/; // Not for ever.\n', 1],
  ['a comment over two lines', 'a.ts', '// As it\n// were.\n', 1],
  ['a string', 'a.ts', "fail('the node had better stop');\n", 1],
  ['an error with values', 'a.ts', `throw new Error(\`\${name(\`x\`)} begins anew\`);\n`, 1],
  ['the help of a command', 'a.ts', '.option("--x", "mends the log")\n', 1],
  ['a text between tags', 'a.tsx', "<p>\n  Don't close it.\n  {n} orders rest all the\n  same.\n</p>\n", 3],
  ['an attribute', 'a.tsx', '<b title="The dearest ask">{ask}</b>\n', 1],
  ['the description of a route', 'a.ts', "{ text: 'Null where there is none.' }\n", 1],
  ['a contract', 'a.sol', '/// @notice Removes a proposer.\n/// @dev By and by.\n', 2],
  ['a style sheet', 'a.css', '/* A row, as it were. */\n', 1],
  ['a document of the API', 'a.yaml', 'text: "a path that there is not"\n', 1],
  ['settings', 'a.conf', '# Whoever asks\n# waits.\n', 1],
  ['a page of HTML', 'a.html', '<p>Of its own accord</p>\n', 1],
] as const)
  test(`finds a phrase in ${kind}`, () => {
    const faults = sourceFaults(path, text);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.ok(faults[0]!.startsWith(`${path}:${line}: `), faults.join());
  });

for (const [path, text] of [
  ['a.ts', '/** Whether the book is empty. */\n'],
  ['a.ts', '  /**\n   * What an order costs.\n   */\n'],
  ['a.ts', '/**\n * Cancels an order.\n * @returns Whether it rested.\n */\n'],
  ['a.sol', '/// @notice A batch.\n/// @param id Of the batch.\n'],
] as const)
  test(`finds a doc comment without a subject: ${JSON.stringify(text)}`, () => {
    assert.equal(sourceFaults(path, text).length, 1);
  });

test('leaves names, values and code alone', () => {
  const code = `
    // Whether it rests is up to the book.
    const dearest = { kind: 'anew', reckon, [\`\${mend}\`]: 1 };
    if (a > dearest) mend(b);`;
  assert.deepEqual(sourceFaults('a.tsx', code), []);
});
