// The official conformance suite, with no failure expected: all scenarios that need no OAuth, and those of 2026-07-28 that
// do, with the official client's OAuth functions plugged in.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SCENARIOS, authScenarios, runScenario } from '../../scripts/conformance.mjs';

for (const [name, versions] of [...Object.entries(SCENARIOS), ...(await authScenarios())]) {
  describe(name, () => {
    for (const version of versions) {
      test(version, async () => {
        const { passed, text } = await runScenario(name, version);
        assert.ok(passed, text.slice(-6000));
      });
    }
  });
}
