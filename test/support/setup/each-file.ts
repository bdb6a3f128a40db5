import fc from 'fast-check';
import { expect } from 'vitest';
import { isSlowRun } from '../slow-run.ts';

// A failure of `npm test` is that of the change, so its random inputs are the same each time. The slow run looks for others.
if (!isSlowRun) fc.configureGlobal({ seed: 7 });

// `toMatchObject` takes a regular expression for an object without fields, which matches everything. Use
// `expect.stringMatching`.
expect.addEqualityTesters([
  (given, expected) => (expected instanceof RegExp && !(given instanceof RegExp) ? false : undefined),
]);
