import { relative } from 'node:path';
import type { TestModule } from 'vitest/node';
import { root } from '../../../bin/prepare/paths.js';

/** How many files are listed. Shorter runs list none. */
const listed = 20;

/**
 * A reporter of vitest, which says why tests were skipped, and lists the slowest files after a run of many, and how long
 * these and all take in the workers.
 */
export default class SlowestFiles {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result()));
    const reasons = new Set(
      results.flatMap((result) => (result.state === 'skipped' ? (result.note ?? []) : [])),
    );
    for (const reason of reasons) console.log(`Skipped: ${reason}`);
    if (modules.length <= listed) return;
    const files = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      return { name: relative(root, module.moduleId), seconds: (duration + collectDuration) / 1_000 };
    });
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, listed);
    console.log(
      `The ${listed} slowest of ${files.length} files took ${sumOf(slowest)} of ${sumOf(files)} s:`,
    );
    for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  }
}

const sumOf = (files: readonly { seconds: number }[]) =>
  files.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0);
