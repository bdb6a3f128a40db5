import { knownSetting, settingProblem } from '../../../src/contract/known-settings/known-settings.ts';
import { UsageError } from '../../errors.ts';
import { remark } from '../../terminal.ts';

/**
 * Checks values of the settings that the service itself reads. Any other setting may have any value.
 *
 * @param force - whether wrong values are stored nevertheless, with a warning
 * @throws UsageError for wrong values, with what is wrong with each
 */
export function checkSettings(values: readonly (readonly [string, string])[], force: boolean): void {
  const problems = values.flatMap(([key, value]) => {
    const problem = settingProblem(key, value);
    return problem === undefined ? [] : [problem + placeInJson(key, value)];
  });
  if (problems.length === 0) return;
  if (!force)
    throw new UsageError(
      `${problems.join('\n')}\nNothing was changed. Add --force to store ${problems.length === 1 ? 'it' : 'them'} anyway.`,
    );
  for (const problem of problems) remark(`Warning: ${problem} It counts as not set.`);
}

/** Says where a value stops being JSON. */
function placeInJson(key: string, value: string): string {
  if (knownSetting(key)?.kind !== 'json') return '';
  try {
    JSON.parse(value);
    return '';
  } catch (error) {
    return ` ${(error as Error).message}.`;
  }
}
