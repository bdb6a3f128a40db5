import { useMutation } from '@tanstack/react-query';
import { sentenceOf } from '../parts/failure.tsx';
import { counted } from '../parts/numbers.ts';
import { changeSettings, refusedKey, type SettingChange } from './change-settings.ts';
import { closeDrafts, refuseDraft } from './setting-drafts.ts';

/** Saves what is written for one or more settings, together or not at all. What was refused stays in its field. */
export function useSaveSettings(onSaved: (keys: readonly string[]) => void) {
  return useMutation({
    mutationFn: (changes: readonly SettingChange[]) => changeSettings(changes, textOf(changes)),
    onSuccess(_done, changes) {
      const keys = changes.map(({ key }) => key);
      closeDrafts(keys);
      onSaved(keys);
    },
    onError(error, changes) {
      const wrong = refusedKey(error);
      const keys = wrong === undefined ? changes.map(({ key }) => key) : [wrong];
      for (const key of keys) refuseDraft(key, sentenceOf(error));
    },
  });
}

function textOf(changes: readonly SettingChange[]): string {
  const [first, ...others] = changes;
  if (first === undefined || others.length > 0) return `${counted(changes.length, 'setting')} saved.`;
  return first.after === null ? `${first.key} deleted.` : `${first.key} saved.`;
}
