import { relative } from 'node:path';
import { root } from './paths.js';

/** How many files are listed. Shorter runs list none. */
const listed = 20;

/** A reporter of vitest, which says why tests were skipped, and lists the slowest files after a run of many. */
export default class SlowestFiles {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      return { name: relative(root, module.moduleId), seconds: (duration + collectDuration) / 1_000 };
    });
    const results = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result()));
    const reasons = new Set(
      results.flatMap((result) => (result.state === 'skipped' ? result.note : []) ?? []),
    );
    for (const reason of reasons) console.log(`Skipped: ${reason}`);
    if (files.length > listed) console.log(describeSlowest(files));
  }
}

/**
 * Returns a line for each of the slowest files, and how long these and all take in the workers.
 *
 * @param {readonly { name: string, seconds: number }[]} files
 */
export function describeSlowest(files) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, listed);
  return [
    `The ${listed} slowest of ${files.length} files took ${sumOf(slowest)} of ${sumOf(files)} s:`,
    ...slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
  ].join('\n');
}

/** @param {readonly { seconds: number }[]} files */
function sumOf(files) {
  return files.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0);
}
