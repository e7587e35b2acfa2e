// Our verdict on a shape against that of the official schemas, on generated requests and results. Where they differ, the
// difference is on the list below, with the reason; an entry that explains nothing any more fails the test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pkg } from './support/installed.mjs';
import { compare } from './support/sampling-compare.mjs';

test('20,000 requests and results: the verdicts agree, or the difference is known', () => {
  const capabilities = { sampling: { tools: {}, context: {} } };
  const { counts, unknown, unused } = compare({
    seed: 20260728,
    count: 20_000,
    request: (params) => pkg.validateRequest(params, { capabilities }),
    result: (result) => pkg.validateResult(result, {}, { capabilities }),
  });
  assert.deepEqual(unknown, []);
  assert.deepEqual(unused, []);
  // Both verdicts are often met, or the generator tests nothing.
  assert.ok(counts.accepted > 4_000 && counts.refused > 4_000, JSON.stringify(counts));
});
