import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns what axe finds on a page, in a line each.
 *
 * @param rules - only these rules; by default all
 */
export async function accessibilityProblems(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  // The debugger's protocol runs it, which the policy of the page does not bind.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(rules === undefined ? {} : { runOnly: rules })})`,
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
