import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { route } from '../http/route.ts';
import { RouteTable } from './route-table.ts';

const ROUTES = ['/v1/order', '/docs', '/docs/{file}', '/v1/withdraw/{id}', '/v1/{kind}/of/{id}'].map((path) =>
  route({
    ...{ method: 'GET', path, access: 'public', answer: Type.Unknown() },
    contract: { excluded: 'a test' },
    handle: () => path,
  }),
);
const table = new RouteTable(ROUTES, undefined);

describe('the table of routes', () => {
  const FOUND: readonly (readonly [path: string, pattern: string, params: Record<string, string>])[] = [
    ['/v1/order', '/v1/order', {}],
    ['/v1/%6Frder', '/v1/order', {}],
    ['/docs/a.js', '/docs/{file}', { file: 'a.js' }],
    ['/d%6Fcs/%61.js', '/docs/{file}', { file: 'a.js' }],
    ['/docs/a%2Fb', '/docs/{file}', { file: 'a/b' }],
    ['/docs/100%2525', '/docs/{file}', { file: '100%25' }],
    ['/docs/%C3%A9', '/docs/{file}', { file: 'é' }],
    [`/docs/${'a'.repeat(100)}`, '/docs/{file}', { file: 'a'.repeat(100) }],
    ['/v1/a/of/b', '/v1/{kind}/of/{id}', { kind: 'a', id: 'b' }],
  ];
  for (const [path, pattern, params] of FOUND) {
    it(`finds ${path.slice(0, 40)}`, () => {
      const found = table.find('GET', path);
      assert.equal(found?.route.path, pattern);
      assert.deepEqual(Object.fromEntries(found.params), params);
    });
  }

  const ABSENT = [
    ...['/', '', '/v1/order/', '/V1/order', '/v1//order', '/docs/', '/docs/a/b', '/docs/%', '/docs/%E0%A4%A'],
    ...[
      `/docs/${'a'.repeat(101)}`,
      'v1/order',
      '/v1/a/of/',
      '/v1%2Forder',
      '/v1/order;a',
      'x/docs/a',
      '/docs\n/a',
    ],
  ];
  for (const path of ABSENT) {
    it(`does not find ${JSON.stringify(path).slice(0, 40)}`, () => {
      assert.equal(table.find('GET', path), undefined);
    });
  }

  it('tells methods apart', () => {
    assert.equal(table.find('POST', '/v1/order'), undefined);
    assert.equal(table.find('GET /docs', '/a'), undefined);
  });
});
