import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { leastCpuMs } from '../../test/least-cpu.ts';
import { parseStrictJson } from './json.ts';

const keysOf = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":${i}`);

const parse = (text: string): unknown => parseStrictJson(new TextEncoder().encode(text));

describe('JSON from strangers (HTTP-3)', () => {
  const REFUSED = [
    ['', 'an empty text'],
    ['{"a":1', 'an object that never closes'],
    ['{"a', 'a string that never closes'],
    ['{"a":1}}', 'an extra bracket'],
    ["{'a':1}", 'single quotes'],
    ['{"a":01}', 'a leading zero'],
    ['{"a":NaN}', 'NaN'],
    ['{"a":1,}', 'a trailing comma'],
    ['{"a":1,"a":2}', 'a repeated key'],
    ['{"a":1,"\\u0061":2}', 'a key repeated in an escaped spelling'],
    ['{"a" :1,"a"\n\t:2}', 'a key repeated with space before the colon'],
    ['{"b":[{"c":1,"c":1}]}', 'a key repeated deep inside'],
    ['{"__proto__":{"admin":true}}', 'a __proto__ key'],
    ['{"\\u005f_proto__":1}', 'an escaped __proto__ key'],
    ['[[[[[[[[[0]]]]]]]]]', 'nine levels of arrays'],
    [`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`, 'nine levels of objects'],
    ['['.repeat(1_000_000), 'a million brackets'],
    ['{"\\x":1}', 'a bad escape in a key'],
    ['{"a":1,"b":{"a":2},"a":3}', 'a key repeated after an object that has it too'],
    ['[{"a":1},[{"b":{"a":1}}],{"c":[{"a":1}],"a":2,"c":3}]', 'a key repeated after equally deep objects'],
    [`{${keysOf(65)}}`, '65 keys'],
    [`[${keysOf(65).map((key) => `{${key}}`)}]`, '65 objects, each with its own key'],
  ] as const;
  for (const [text, what] of REFUSED) {
    it(`refuses ${what}`, () => assert.equal(parse(text), undefined));
  }

  const TAKEN = [
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
    '[[[[[[[[0]]]]]]]]',
    '{"text":"__proto__ {[\\"a\\": \\\\"}',
    '["a","a"]',
    ' { "a" : "b:" , "b" : "a" } ',
    '{"constructor":1,"toString":2}',
    '{"":1}',
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    `{${keysOf(64)}}`,
    `[${Array(100).fill(`{${keysOf(64)}}`)}]`,
    'null',
  ];
  for (const text of TAKEN) {
    it(`takes ${text.slice(0, 60)}`, () => assert.deepEqual(parse(text), JSON.parse(text)));
  }

  it('starts afresh with each body', () => {
    for (let i = 0; i < 100; i++) assert.deepEqual(parse(`{"x${i}":{"y":1}}`), { [`x${i}`]: { y: 1 } });
  });

  it('refuses a body of 90,000 keys in less than 20 ms', () => {
    const keys = Array.from({ length: 90_000 }, (_, i) => `"${i.toString(36)}":1`);
    const body = new TextEncoder().encode(`{${keys}}`);
    const ms = leastCpuMs({ enoughMs: 20, attemptsMax: 50 }, () =>
      assert.equal(parseStrictJson(body), undefined),
    );
    assert.ok(ms < 20, `${ms} ms`);
  });

  it('refuses bytes that are not UTF-8', () => {
    assert.equal(parseStrictJson(new Uint8Array([0x22, 0xff, 0x22])), undefined);
  });

  it('reads whatever a serialiser writes within the depth, exactly as the parser would', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__') || namesIn(value).size > 64) return;
        assert.deepEqual(parse(text), JSON.parse(text));
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ') }),
        (text) => {
          const value = parse(text);
          if (value !== undefined) assert.deepEqual(value, JSON.parse(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function namesIn(value: unknown): Set<string> {
  const names = new Set<string>();
  JSON.stringify(value, function (key, inner) {
    if (!Array.isArray(this)) names.add(key);
    return inner;
  });
  return names;
}
