import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../app/session.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { counted, formatCount } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { closeUntouched, keepDraftsOf, openDraft, useDrafts } from './setting-drafts.ts';
import { SettingItem } from './setting-item.tsx';
import { settingsQuery } from './setting-queries.ts';
import { groupOf, isFound, rowsOf, type SettingRow } from './setting-rows.ts';
import { type SettingSearch, shownGroups } from './setting-search.ts';
import styles from './settings-page.module.css';
import { ExportButton } from './transfer/export-button.tsx';
import { UnsavedSettings } from './unsaved-settings.tsx';

const AddSetting = lazy(async () => ({ default: (await import('./add-setting.tsx')).AddSetting }));
const ImportSettings = lazy(async () => ({
  default: (await import('./transfer/import-settings.tsx')).ImportSettings,
}));

const SettingPicks = lazy(async () => ({ default: (await import('./setting-picks.tsx')).SettingPicks }));
const ExportMenu = lazy(async () => ({ default: (await import('./transfer/export-menu.tsx')).ExportMenu }));

const route = getRouteApi('/signed-in/settings');
/** How many settings that the service does not read are shown at first: there may be thousands. */
const othersPerPage = 100;

const groupTexts: Readonly<Record<(typeof shownGroups)[number], string>> = {
  Appearance: 'How this dashboard looks, for everybody and on the sign-in page.',
  Region: 'How days, months and amounts are shown.',
  Usage: 'What language models cost, and when to raise an alert.',
  Retention: 'How long data is kept. Older data is deleted once an hour.',
  Security: 'How accounts are protected.',
  Other: 'Settings of your website. The service stores them and does not read them.',
};

/** Lists the settings, which are edited in place. */
export function SettingsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { admin } = useSession();
  const { data, error, refetch } = useQuery(settingsQuery);
  const drafts = useDrafts();
  keepDraftsOf(admin.id);
  const rows = data === undefined ? [] : rowsOf(data);
  // A field that is open stays, whatever the filter says.
  const found = rows.filter((row) => isFound(row, search) || drafts.get(row.key)?.text != null);
  const set = (part: Partial<SettingSearch>, options?: { readonly push?: boolean }) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: options?.push !== true });

  useEffect(() => {
    if (search.setting !== undefined) openDraft(search.setting);
  }, [search.setting]);

  useEffect(() => closeUntouched, []);
  useShortcuts('Settings', [
    {
      keys: '/',
      title: 'Search',
      run: () => document.querySelector<HTMLElement>('[type="search"]')?.focus(),
    },
    { keys: 'c', title: 'Add a setting', run: () => set({ dialog: 'add' }, { push: true }) },
  ]);

  const isFiltered = search.q !== undefined || search.group !== undefined || search.state !== undefined;
  return (
    <Page
      title="Settings"
      bar={
        <>
          <SearchField
            label="Search settings"
            text={search.q}
            className={styles.search}
            onChange={(q) => set({ q })}
          />
          <Suspense fallback={<span className={styles.picks} data-loading />}>
            <SettingPicks search={search} onChange={set} />
          </Suspense>
          <span className={styles.count} aria-live="polite">
            {data && counted(found.length, 'setting')}
          </span>
          <div className={styles.actions}>
            <Button variant="default" onClick={() => set({ dialog: 'import' }, { push: true })}>
              Import
            </Button>
            <Suspense fallback={<ExportButton aria-disabled />}>
              <ExportMenu rows={rows} found={isFiltered ? found : undefined} />
            </Suspense>
            <Button onClick={() => set({ dialog: 'add' }, { push: true })}>Add a setting</Button>
          </div>
        </>
      }
    >
      <div className={styles.content}>
        {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <Loading />}
        {data !== undefined && found.length === 0 && (
          <Note
            title="No setting matches"
            action={{
              label: 'Clear the filters',
              run: () => set({ q: undefined, group: undefined, state: undefined }),
            }}
          />
        )}
        {shownGroups.map((group) => (
          <Group key={group} name={group} rows={found.filter((row) => groupOf(row) === group)} />
        ))}
      </div>
      {data !== undefined && <UnsavedSettings rows={rows} />}
      <Suspense>
        {search.dialog === 'add' && <AddSetting rows={rows} onClose={() => set({ dialog: undefined })} />}
        {search.dialog === 'import' && data !== undefined && (
          <ImportSettings rows={rows} onClose={() => set({ dialog: undefined })} />
        )}
      </Suspense>
    </Page>
  );
}

interface GroupProps {
  readonly name: (typeof shownGroups)[number];
  readonly rows: readonly SettingRow[];
}

function Group({ name, rows }: GroupProps) {
  const [shown, setShown] = useState(othersPerPage);
  if (rows.length === 0) return null;
  const id = `settings-${name}`;
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 className={styles.groupTitle} id={id}>
        {name}
      </h2>
      <p className={styles.groupText}>{groupTexts[name]}</p>
      <ul className={styles.items}>
        {rows.slice(0, shown).map((row) => (
          <SettingItem key={row.key} row={row} />
        ))}
      </ul>
      {rows.length > shown && (
        <Button
          variant="default"
          onClick={() => setShown(shown + othersPerPage)}
          className={styles.more ?? ''}
        >
          Show more ({formatCount(rows.length - shown)} left)
        </Button>
      )}
    </section>
  );
}

function Loading() {
  return (
    <div aria-busy="true" data-loading className={styles.group}>
      <Skeleton height={20} width={120} />
      <Skeleton height={300} mt={16} />
    </div>
  );
}
