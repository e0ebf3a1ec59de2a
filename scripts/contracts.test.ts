import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractFaults } from './contracts.ts';

const OPERATION = { operationId: 'one', summary: 'One', responses: { 200: { description: 'Done' } } };
const faultsOf = (operation: object) =>
  contractFaults(
    'planted.yaml',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Planted', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/' }],
      paths: { '/one': { get: operation } },
    }),
  );

test('an operation that says nothing of its security is a fault of the contract, and so is a missing schema (WEB-2)', async () => {
  assert.deepEqual(await faultsOf({ ...OPERATION, security: [] }), []);
  const [open, ...more] = await faultsOf(OPERATION);
  assert.match(open!, /^#\/paths\/~1one\/get security-defined: /);
  assert.deepEqual(more, []);
  const schema = { $ref: '#/components/schemas/None' };
  const content = { 'application/json': { schema } };
  const [lost] = await faultsOf({ ...OPERATION, security: [], requestBody: { content } });
  assert.match(lost!, /no-unresolved-refs/);
});
