import { defineConfig } from 'vitest/config';
import { useMemoryForTemporaryFiles } from './test/support/temporary-root.ts';

useMemoryForTemporaryFiles();

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Each worker keeps connections and, in some tests, a browser or a second server. One more than the cores of a small
    // machine, because some tests mostly wait.
    maxWorkers: 3,
    // One process for many files: most would take longer to load the service than to test it. What a file needs is its
    // own all the same: its database, its ports, its folders.
    isolate: false,
    // Far above what any takes: a busy machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
