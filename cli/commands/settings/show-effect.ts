import { knownSetting } from '../../../src/contract/known-settings/known-settings.ts';
import type { Access } from '../../access/access.ts';
import { readSettings } from '../../access/settings.ts';
import { printable } from '../../output/text.ts';
import { describeSetting } from '../../shown/describe-setting.ts';
import { remark } from '../../terminal.ts';

/**
 * Says what the service makes of settings that were just stored, as far as it reads them. They are stored, so a failure to
 * read them again is not one of the command.
 */
export async function showEffect(
  access: Access,
  keys: readonly string[],
  say: (text: string) => void,
): Promise<void> {
  const known = keys.filter((key) => knownSetting(key) !== undefined);
  if (known.length === 0) return;
  try {
    const settings = await readSettings(access);
    for (const key of known) say(printable(describeSetting(key, settings) ?? ''));
  } catch (error) {
    const { sentenceOf } = await import('../../failures.ts');
    remark(
      printable(`Warning: Cannot show what the service makes of ${known.join(', ')}. ${sentenceOf(error)}`),
    );
  }
}
