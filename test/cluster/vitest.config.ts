import { defineConfig } from 'vitest/config';

/** The cluster test starts its own servers, and takes minutes. `npm run test:cluster` runs it. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    setupFiles: ['test/support/setup/each-file.ts'],
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 120_000,
    bail: 1,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
