import { Alert, Button } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { formatJson } from '../parts/files/json-text.ts';
import { SettingField } from './fields/setting-field.tsx';
import { acceptStored, changeOf, type Draft, isDirty, writeDraft } from './setting-drafts.ts';
import styles from './setting-item.module.css';
import { lastActors } from './setting-queries.ts';
import { isJson, type SettingRow, titleOf } from './setting-rows.ts';
import { useSaveSettings } from './use-save-settings.ts';

interface SettingEditorProps {
  readonly row: SettingRow;
  readonly draft: Draft;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The field of a value. Enter saves, in several lines with Ctrl; Escape cancels. */
export function SettingEditor({ row, draft, onClose, onSaved }: SettingEditorProps) {
  const { key, value } = row;
  const save = useSaveSettings(onSaved);
  const form = useRef<HTMLFormElement>(null);
  // With its buttons, also where a long value is opened at the lower edge.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const isChanged = isDirty(draft);
  const isOvertaken = isChanged && value !== draft.seen;

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (!isChanged) onClose();
    else if (!save.isPending) save.mutate([changeOf(row, draft)]);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const field = event.target as HTMLElement;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event as unknown as FormEvent);
    // An open list of choices takes the key itself.
    else if (event.key === 'Escape' && field.getAttribute('aria-expanded') !== 'true') onClose();
    else return;
    event.preventDefault();
  }

  return (
    <form
      ref={form}
      className={styles.editor}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      aria-label={titleOf(row)}
    >
      <SettingField
        row={row}
        text={draft.text ?? shownText(row)}
        onChange={(text) => writeDraft(key, text, value)}
        error={isOvertaken ? undefined : draft.error}
      />
      {isOvertaken && <Overtaken row={row} error={draft.error} onDiscard={onClose} />}
      <div className={styles.buttons}>
        <Button type="submit" size="compact-md" loading={save.isPending} disabled={isOvertaken}>
          Save
        </Button>
        <Button size="compact-md" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Stored JSON is often on one line. */
function shownText(row: SettingRow): string {
  return isJson(row) ? formatJson(row.value ?? '') : (row.value ?? '');
}

interface OvertakenProps {
  readonly row: SettingRow;
  /** What the service says. */
  readonly error: string | undefined;
  readonly onDiscard: () => void;
}

/** Says that somebody has changed the setting meanwhile, with the value that it has now. */
function Overtaken({ row: { key, value, isSecret, updatedBy }, error, onDiscard }: OvertakenProps) {
  const actor = lastActors.use().get(key) ?? updatedBy;
  const sentence = error ?? `${actor ?? 'Somebody'} has changed this setting meanwhile.`;
  return (
    <Alert color="yellow" role="alert" title={sentence}>
      <p className={styles.stored}>
        {value === null ? `It is ${isSecret ? 'secret' : 'not set'} now.` : 'It is now:'}{' '}
        {value !== null && <code>{value}</code>}
      </p>
      <div className={styles.buttons}>
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          Keep theirs
        </Button>
        <Button size="compact-sm" onClick={() => acceptStored(key, value)}>
          Go on with mine
        </Button>
      </div>
    </Alert>
  );
}
