import { defineConfig } from 'vitest/config';
import { useOwnTemporaryFolder } from '../support/setup/temporary-root.ts';

useOwnTemporaryFolder();

/** Long proofs that nothing is lost when something fails. `npm run test:faults` runs them, one after the other. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/support/setup/global-setup.ts'],
    setupFiles: ['test/support/setup/each-file.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
