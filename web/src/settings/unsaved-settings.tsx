import { Button } from '@mantine/core';
import { useLeaveWarning } from '../app/kept/use-leave-warning.ts';
import { counted } from '../parts/numbers.ts';
import { changeOf, closeDrafts, isDirty, useDrafts } from './setting-drafts.ts';
import type { SettingRow } from './setting-rows.ts';
import styles from './settings-page.module.css';
import { useSaveSettings } from './use-save-settings.ts';

/** Saves several changed settings together, and keeps the window from closing over them. */
export function UnsavedSettings({ rows }: { readonly rows: readonly SettingRow[] }) {
  const drafts = new Map([...useDrafts()].filter(([, draft]) => isDirty(draft)));
  const save = useSaveSettings(() => {});
  useLeaveWarning(drafts.size > 0);
  if (drafts.size < 2) return null;

  const changes = rows.flatMap((row) => {
    const draft = drafts.get(row.key);
    return draft === undefined ? [] : [changeOf(row, draft)];
  });
  return (
    <section className={styles.unsaved} aria-label="Unsaved settings">
      <span>{counted(drafts.size, 'setting')} changed, not saved</span>
      <Button size="compact-sm" loading={save.isPending} onClick={() => save.mutate(changes)}>
        Save all
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => closeDrafts([...drafts.keys()])}>
        Discard all
      </Button>
    </section>
  );
}
