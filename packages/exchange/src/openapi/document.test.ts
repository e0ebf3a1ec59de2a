// @process exchange-http
// @seconds 1

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MESSAGES } from '@venue/protocol';
import { examplesOf, operationsOf, readContract } from '../../test/contract/document.ts';
import { allRoutes, documentedRoutes } from '../../test/contract/routes.ts';
import { RecordedStage, STAGES } from '../../test/contract/stage.ts';
import { contractNow } from '../../test/contract.ts';
import { descriptionOf, type Route } from '../http/route.ts';
import { errorsOf, REASONS, statusOf, UNREACHED, UNREACHED_REASONS, withoutNumbers } from './errors.ts';
import { fieldErrorsOf } from './fields.ts';
import { rateLimitOf } from './limits.ts';

const contract = readContract();
const examples = examplesOf(contract);

/** As JSON has it, which leaves out what is undefined. */
const withoutExamples = (document: object): unknown =>
  JSON.parse(JSON.stringify(document, (name, value) => (name === 'examples' ? undefined : value)));

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describe('the OpenAPI contract', () => {
  it('is that of the code, whatever its examples show; after a change regenerate it (see test/openapi.ts)', () => {
    // Which answers a status can have is read off the examples.
    const shown = examples.flatMap(({ request, value, code, ...example }) =>
      request === undefined
        ? []
        : [{ ...example, request, answer: value, summary: '', ...(code !== undefined && { code }) }],
    );
    assert.deepEqual(withoutExamples(contract), withoutExamples(contractNow(shown)));
  });

  it('names every operation differently', () => {
    const ids = documentedRoutes().map((route) => descriptionOf(route)!.id);
    assert.deepEqual([...new Set(ids)], ids);
  });

  it('shows a real answer of each operation', () => {
    const shown = new Set(examples.filter(({ status }) => status === 200).map(({ operation }) => operation));
    assert.deepEqual([...shown].sort(), documentedRoutes().map(nameOf).sort());
  });

  it('excludes routes that are not for traders, with reasons, and of the public ones only its own pages and probes', () => {
    const { 'x-excluded': excluded } = contractNow();
    for (const { reason } of excluded) assert.ok(reason.length > 10);
    const open = allRoutes().filter(
      (route) => 'excluded' in route.contract && ['public', 'bearer', 'signed'].includes(route.access),
    );
    assert.deepEqual(open.map(nameOf), [
      'GET /livez',
      'GET /readyz',
      'GET /docs',
      'GET /docs/{file}',
      'GET /docs/{folder}/{file}',
      'GET /docs/{folder}/{topic}/{file}',
      'GET /openapi.yaml',
      'GET /openapi.json',
      'GET /asyncapi.yaml',
      'GET /asyncapi.json',
      'GET /vectors.json',
      'GET /llms.txt',
      'GET /skill.md',
      'GET /files/index.json',
      'GET /files/{day}/{file}',
      'GET /',
      'GET /assets/{file}',
    ]);
  });

  it('puts exactly these under the limit of orders: a preview does not use it up', () => {
    const paths = allRoutes().map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => rateLimitOf(path).class === 'orders'),
      ['/v1/order', '/v1/cancel', '/v1/order/cancel', '/v1/withdraw'],
    );
  });
});

describe('the OpenAPI contract and the routes of a running service', () => {
  let stage: RecordedStage;
  before(async () => {
    stage = await RecordedStage.start(STAGES.deposits);
  });
  after(() => stage.stop());

  it('are the same, in both directions', () => {
    const excluded = contract['x-excluded'].map(({ method, path }) => `${method} ${path}`);
    const listed = [...operationsOf(contract).map(([operation]) => operation), ...excluded];
    assert.deepEqual(listed.sort(), stage.operations().sort());
  });
});

describe('the errors in the OpenAPI contract', () => {
  for (const route of documentedRoutes()) {
    const operation = nameOf(route);
    const own = examples.filter((example) => example.operation === operation);
    const shown = new Map(
      own.filter(({ status }) => status !== 200).map((example) => [example.name, example]),
    );

    it(`${operation} shows every error it can answer, in the words of the catalogue`, () => {
      for (const name of errorsOf(route)) {
        const { status, value, code, unreached } = shown.get(name) ?? assert.fail(`${name} is not shown`);
        const { error, lastNonce } = value as { error?: string; lastNonce?: number };
        assert.deepEqual(
          { status, error, code, hasNonce: lastNonce !== undefined },
          { ...MESSAGES[name], status: statusOf(name), hasNonce: name === 'stalePush' },
        );
        assert.equal(unreached, UNREACHED.get(name));
      }
    });

    it(`${operation} shows no error that is not announced`, () => {
      const fieldErrors = fieldErrorsOf(route);
      const announced = errorsOf(route);
      for (const [name, { value }] of shown) {
        const { error, reason } = value as { error?: string; reason?: string };
        const isField = fieldErrors.includes(error ?? '');
        const isDeclined = operation === 'POST /v1/order' && reason !== undefined;
        const isPayout = error !== undefined && name === 'insufficient-balance';
        const isPush = operation === 'POST /v1/quote-sets/{set}' && name === 'insufficient-buying-power';
        const isKnown = announced.has(name as never) || isField;
        assert.ok(isKnown || isDeclined || isPayout || isPush, `${name}: ${error}`);
      }
    });
  }

  it('ORD-1: every reason of a declined order is shown, or why it cannot be', () => {
    const reasons = examples
      .filter(({ operation, status }) => operation === 'POST /v1/order' && status === 400)
      .flatMap(({ value }) => (value as { reason?: string }).reason ?? []);
    const seen = new Set([...reasons.map(withoutNumbers), ...UNREACHED_REASONS.keys()]);
    assert.deepEqual(
      [...seen].sort(),
      [...REASONS].sort(),
      'a new reason needs an example in test/contract, or a line in UNREACHED_REASONS of src/openapi/errors.ts',
    );
  });
});
