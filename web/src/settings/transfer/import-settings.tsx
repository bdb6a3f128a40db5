import { Alert, Button, FileButton, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { useSettingRefusal } from '../../app/session/use-setting-refusal.ts';
import { Dialog } from '../../form/dialog.tsx';
import { useReturnFocus } from '../../form/use-return-focus.ts';
import { DialogButtons, DialogContent } from '../../parts/dialogs/dialog-layout.tsx';
import { sentenceOf } from '../../parts/failure.tsx';
import { counted, formatCount } from '../../parts/numbers.ts';
import { changeSettings } from '../change-settings.ts';
import type { SettingRow } from '../setting-rows.ts';
import { compareImport, type ImportEntry } from './import-diff.ts';
import { ImportEntries } from './import-entries.tsx';
import styles from './import-settings.module.css';

/** The most settings that one call writes. */
const maxKeys = 1_000;

interface ImportSettingsProps {
  readonly rows: readonly SettingRow[];
  readonly onClose: () => void;
}

/** Imports settings from JSON. It shows first what would change, and writes what is chosen together or not at all. */
export function ImportSettings({ rows, onClose }: ImportSettingsProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [entries, setEntries] = useState<readonly ImportEntry[]>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const refusalOf = useSettingRefusal();
  useReturnFocus();
  const writable = (entries ?? []).filter(({ state }) => state === 'new' || state === 'changed');
  const chosen = writable.filter(({ key }) => !left.has(key));
  const apply = useMutation({
    mutationFn: () => changeSettings(chosen, `${counted(chosen.length, 'setting')} imported.`),
    onSuccess: onClose,
  });

  function compare(json: string): void {
    apply.reset();
    setLeft(new Set());
    const result = compareImport(json, rows, refusalOf);
    setProblem(typeof result === 'string' ? result : undefined);
    setEntries(typeof result === 'string' ? undefined : result);
  }

  async function take(file: File | null | undefined): Promise<void> {
    if (file == null) return;
    const json = await file.text();
    setText(json);
    compare(json);
  }

  function onDrop(event: DragEvent): void {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  }

  return (
    <Dialog opened onClose={onClose} title="Import settings" size="xl">
      {entries === undefined ? (
        <DialogContent>
          <p className={styles.text}>
            Choose a file that was exported here or with <code>backoffice settings export</code>, or paste its
            content. Nothing is written before you have seen the changes.
          </p>
          <FileButton accept="application/json,.json" onChange={(file) => void take(file)}>
            {(props) => (
              <Button {...props} variant="default" className={styles.file ?? ''}>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Textarea
            label="JSON"
            rows={10}
            spellCheck={false}
            placeholder={'{\n  "support_email": "help@example.com"\n}'}
            classNames={{ input: styles.json ?? '' }}
            value={text}
            error={problem}
            data-autofocus
            onDrop={onDrop}
            onDragOver={(event) => event.preventDefault()}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setProblem(undefined);
            }}
          />
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={text.trim() === ''} onClick={() => compare(text)}>
              Compare
            </Button>
          </DialogButtons>
        </DialogContent>
      ) : (
        <DialogContent>
          <p className={styles.text}>{summaryOf(entries)}</p>
          {apply.error && (
            <Alert color="red" role="alert">
              {sentenceOf(apply.error)}{' '}
              <Button size="compact-sm" variant="default" onClick={() => compare(text)}>
                Compare again
              </Button>
            </Alert>
          )}
          <ImportEntries entries={entries} left={left} onLeave={setLeft} />
          {chosen.length > maxKeys && (
            <p className={styles.text}>Choose at most {formatCount(maxKeys)} at once.</p>
          )}
          <DialogButtons>
            <Button variant="default" onClick={() => setEntries(undefined)}>
              Back
            </Button>
            <Button
              disabled={chosen.length === 0 || chosen.length > maxKeys}
              loading={apply.isPending}
              onClick={() => apply.mutate()}
            >
              Import {counted(chosen.length, 'setting')}
            </Button>
          </DialogButtons>
        </DialogContent>
      )}
    </Dialog>
  );
}

function summaryOf(entries: readonly ImportEntry[]): string {
  const parts = (['new', 'changed', 'unchanged', 'invalid'] as const).map(
    (state) => `${formatCount(entries.filter((entry) => entry.state === state).length)} ${state}`,
  );
  return `${parts.join(', ')}. Settings that are not in the file stay as they are.`;
}
