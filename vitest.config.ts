import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Each worker keeps connections and, in some tests, a browser or a second server. One more than the cores of a small
    // machine, because some tests mostly wait.
    maxWorkers: 3,
    // Far above what any takes: a busy machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
