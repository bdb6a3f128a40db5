import { globSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFilesFirst } from './test/support/setup/slow-files-first.ts';
import { useOwnTemporaryFolder } from './test/support/setup/temporary-root.ts';
import { isSlowRun } from './test/support/slow-run.ts';

useOwnTemporaryFolder();

const all = 'test/**/*.test.{ts,tsx}';
/** The files that do more in a slow run. */
const withSlowPart = () =>
  globSync(all).filter((file) => readFileSync(file, 'utf8').includes('/slow-run.ts'));

export default defineConfig({
  test: {
    include: isSlowRun ? withSlowPart() : [all],
    // They take minutes, and the cluster needs packages of the system.
    exclude: [...configDefaults.exclude, 'test/cluster/**', 'test/faults/**'],
    setupFiles: ['test/support/setup/each-file.ts'],
    globalSetup: ['test/support/setup/global-setup.ts'],
    pool: 'forks',
    // More than the cores of a small machine, because many tests mostly wait. Each worker costs memory: it keeps
    // connections and, in some tests, a browser or a second server.
    maxWorkers: 6,
    // One process runs many files, because loading the service takes longer than most tests. Each file still has its
    // own database, ports and folders.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    // Far above what any test takes, so that a busy machine causes no failure.
    testTimeout: isSlowRun ? 600_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
