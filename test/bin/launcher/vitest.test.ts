import { expect, test } from 'vitest';
import { tally } from '../../../bin/launcher/vitest.js';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((outcome) => ({ status: outcome })),
});

test('counts passed, failed and skipped tests', () => {
  const report = { numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 3 };
  expect(tally(report, 1)).toEqual({ passed: 5, failed: 2, skipped: 4 });
});

test('counts a file that does not load as one failure', () => {
  const testResults = [file('failed'), file('failed', 'failed'), file('passed', 'passed')];
  expect(tally({ numPassedTests: 1, numFailedTests: 1, testResults }, 1)).toMatchObject({ failed: 2 });
});

test('counts an unhandled rejection as one failure', () => {
  expect(tally({ numPassedTests: 5 }, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
});

test('counts a run without tests, or without a report, as one failure', () => {
  expect(tally({}, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('counts no failure in a green run', () => {
  expect(tally({ numPassedTests: 5 }, 0)).toEqual({ passed: 5, failed: 0, skipped: 0 });
});
