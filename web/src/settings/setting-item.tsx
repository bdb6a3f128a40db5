import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { basePath } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useMay } from '../app/session/permissions.ts';
import { useSettingRefusal } from '../app/session/use-setting-refusal.ts';
import { confirm } from '../form/confirm.tsx';
import { GuardedButton } from '../parts/inputs/guarded-button.tsx';
import { type RowAction, RowMenu } from '../parts/table/row-menu.tsx';
import { tellError } from '../parts/tell.ts';
import { Moment } from '../parts/time/moment.tsx';
import { changeSettings } from './change-settings.ts';
import { closeDrafts, openDraft, useDrafts } from './setting-drafts.ts';
import styles from './setting-item.module.css';
import { isSet, type SettingRow, titleOf } from './setting-rows.ts';
import { SettingValue } from './setting-value.tsx';

const SettingEditor = lazyPart(() => import('./setting-editor.tsx'), 'SettingEditor');

const route = getRouteApi('/signed-in/settings');

/** A setting: what it is for, and its value or the field to change it. */
export function SettingItem({ row }: { readonly row: SettingRow }) {
  const { key, known, updatedAt, updatedBy, problem } = row;
  const draft = useDrafts().get(key);
  const reason = useSettingRefusal()(key);
  const navigate = route.useNavigate();
  const edit = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const isOpen = draft !== undefined;
  // The focus goes back to where it came from.
  useEffect(() => {
    if (wasOpen.current && !isOpen) edit.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  const setOpen = (setting: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, setting }), replace: true });
  function close(): void {
    closeDrafts([key]);
    setOpen(undefined);
  }

  return (
    <li className={styles.item} data-open={isOpen || undefined}>
      <div className={styles.about}>
        <div className={styles.names}>
          <h3 className={styles.name}>{titleOf(row)}</h3>
          {known && <code className={styles.key}>{key}</code>}
        </div>
        {known && <p className={styles.description}>{known.description}</p>}
      </div>
      <div className={styles.current}>
        {isOpen ? (
          <Suspense>
            <SettingEditor row={row} draft={draft} onClose={close} onSaved={() => setOpen(undefined)} />
          </Suspense>
        ) : (
          <>
            <div className={styles.line}>
              <SettingValue row={row} />
              <GuardedButton
                ref={edit}
                reason={reason}
                size="compact-sm"
                variant="subtle"
                className={styles.edit ?? ''}
                aria-label={`Edit ${titleOf(row)}`}
                onClick={() => {
                  // The address may have the key already.
                  openDraft(key);
                  setOpen(key);
                }}
              >
                Edit
              </GuardedButton>
              <MoreMenu row={row} reason={reason} />
            </div>
            {problem && <p className={styles.problem}>{problem} It counts as not set.</p>}
            {isSet(row) && updatedAt !== undefined && (
              <p className={styles.changed}>
                Changed <Moment at={updatedAt} />
                {updatedBy !== null && ` by ${updatedBy}`}
              </p>
            )}
          </>
        )}
      </div>
    </li>
  );
}

interface MoreMenuProps {
  readonly row: SettingRow;
  /** Why the setting may not be changed. */
  readonly reason: string | undefined;
}

function MoreMenu({ row, reason }: MoreMenuProps) {
  const { key, value, known, isSecret } = row;
  const may = useMay();
  const remove = async () => {
    const text = known === undefined ? `${key} deleted.` : `${known.title} has its default again.`;
    await changeSettings([{ key, before: value, after: null }], text).catch(tellError);
  };
  const removeSecret = () =>
    confirm({
      title: `Delete ${key}?`,
      text: 'Its value is secret, so this cannot be undone.',
      action: 'Delete',
      run: () => changeSettings([{ key, before: undefined, after: null, isSecret }], `${key} deleted.`),
    });
  const actions: RowAction[] = [];
  if (isSecret)
    actions.push({ label: 'Delete', run: () => void removeSecret(), disabled: reason, isDangerous: true });
  else if (value !== null)
    actions.push({
      label: known === undefined ? 'Delete' : 'Reset to the default',
      run: () => void remove(),
      disabled: reason,
      isDangerous: known === undefined,
    });
  if (may('audit.list'))
    actions.push({
      label: 'Show in the audit trail',
      run: () => window.location.assign(`${basePath}/audit?q=${encodeURIComponent(key)}`),
    });
  return (
    <span className={styles.menu}>
      <RowMenu name={titleOf(row)} actions={actions} />
    </span>
  );
}
