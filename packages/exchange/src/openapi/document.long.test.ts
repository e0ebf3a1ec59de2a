// @seconds 10

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { CONTRACT_FILE } from '../../test/contract/document.ts';
import { contractText } from '../../test/contract.ts';

it('the OpenAPI contract is the code and the answers of a running service; after a change regenerate it (see test/openapi.ts)', async () => {
  assert.equal(readFileSync(CONTRACT_FILE, 'utf8'), await contractText());
});
