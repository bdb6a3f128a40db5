import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Resolves when nothing moves but what moves for ever. What fades in has too little contrast until then. */
const untilAtRest = `Promise.all(document.getAnimations()
  .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => {}))).then(() => {})`;

/**
 * Returns what axe finds on a page, in a line each.
 *
 * @param rules - only these rules; by default all
 */
export async function accessibilityProblems(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  await page.evaluate(untilAtRest);
  // The debugger's protocol runs it, which the policy of the page does not bind.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const options: RunOptions = {
    ...(rules === undefined ? {} : { runOnly: [...rules] }),
    resultTypes: ['violations'],
    // None of the rules reads the style sheets, which would be loaded again for each run.
    preload: { assets: ['media'] },
  };
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as AxeResults['violations'];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
