import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figureFaults, signingFaults } from './claims.ts';

const [KEY, DIGEST, SIGNATURE, ADDRESS] = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`);
const TEXT = 'Venue batch v1\nactions: 1\nguard 0\nnonce: 7';
const VECTOR = { text: TEXT, privateKey: KEY!, digest: DIGEST!, signature: SIGNATURE!, address: ADDRESS! };
const vectors = [{ ...VECTOR, fields: { actions: [{ type: 'guard' }] } }];
const files = [{ path: 'a.ts', text: "return text(\n    'Venue batch v1',\n    `nonce`);" }];
const PAGE = `# Signing

\`${KEY}\` \`${DIGEST}\` \`${SIGNATURE}\` \`${ADDRESS}\`

### \`Venue batch v1\`

\`\`\`text
${TEXT}
\`\`\`

| line | parts |
|---|---|
| \`guard\` | time |
`;

test('a signed text has a section with the text of a vector, and a vector (SIG-2, BAT-1)', () => {
  const parts = { files, vectors };
  assert.deepEqual(signingFaults(PAGE, parts), []);
  const more = [...files, { path: 'b.ts', text: "text('Venue order v1', x)" }];
  assert.deepEqual(signingFaults(PAGE, { ...parts, files: more }), [
    'docs/reference/signing.md: no section `Venue order v1`',
    'packages/protocol/vectors/envelopes.json: no vector of `Venue order v1`',
  ]);
  for (const [page, fault] of [
    [PAGE.replace('guard 0', 'guard 1'), /`Venue batch v1` shows no text of a vector/],
    [PAGE.replace('| `guard` |', '| `cancel` |'), /does not show or explain the line of `guard`/],
    [PAGE.replaceAll('batch v1', 'batch v2'), /the protocol has no text `Venue batch v2`/],
    [PAGE.replace(DIGEST!, ADDRESS!), /key, digest and signature are not those of a vector/],
  ] as const)
    assert.match(signingFaults(page, parts).join('\n'), fault);
});

test('a figure of a page is the limit or the default that it names (VEN-2)', () => {
  const values = { quoteTtlMs: 30_000, rows: 1_500, VENUE_TTL_MS: 30_000, bytes: 65_536 };
  const faultsOf = (text: string) => figureFaults({ path: 'page.md', text }, values);
  const right = [
    '30 s<!-- quoteTtlMs -->, 1,500<!-- rows --> rows, 64 kB<!-- bytes -->',
    'after `VENUE_TTL_MS` (30 s) or `VENUE_TTL_MS` (30,000 by default); 60 s',
  ];
  assert.deepEqual(right.flatMap(faultsOf), []);
  for (const [text, fault] of [
    ['pulled after 60 s<!-- quoteTtlMs -->', 'page.md: 60 s is not quoteTtlMs, which is 30000'],
    ['pulled after `VENUE_TTL_MS` (60 s)', 'page.md: 60 s is not VENUE_TTL_MS, which is 30000'],
    ['5<!-- none -->', 'page.md: 5 is not none, which nothing has'],
    ['thirty<!-- quoteTtlMs --> seconds', 'page.md: a mark stands behind no figure'],
  ] as const)
    assert.deepEqual(faultsOf(text), [fault]);
});
