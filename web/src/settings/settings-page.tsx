import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { useSettingRefusal } from '../app/session/use-setting-refusal.ts';
import { Failure } from '../parts/failure.tsx';
import { SearchField } from '../parts/inputs/search-field.tsx';
import { Note } from '../parts/note.tsx';
import { BarEnd, Count, Page, PageContent } from '../parts/page/page.tsx';
import { closeUntouched, keepDraftsOf, openDraft, useDrafts } from './setting-drafts.ts';
import { SettingGroup, SettingGroupSkeleton } from './setting-group.tsx';
import { settingsQuery } from './setting-queries.ts';
import { groupOf, isFound, rowsOf } from './setting-rows.ts';
import { type SettingSearch, shownGroups } from './setting-search.ts';
import styles from './settings-page.module.css';
import { ExportButton } from './transfer/export-button.tsx';
import { UnsavedSettings } from './unsaved-settings.tsx';

const AddSetting = lazyPart(() => import('./add-setting.tsx'), 'AddSetting');
const ImportSettings = lazyPart(() => import('./transfer/import-settings.tsx'), 'ImportSettings');
const SettingPicks = lazyPart(() => import('./setting-picks.tsx'), 'SettingPicks');
const ExportMenu = lazyPart(() => import('./transfer/export-menu.tsx'), 'ExportMenu');

const route = getRouteApi('/signed-in/settings');

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

  const refusalOf = useSettingRefusal();
  const opened =
    search.setting !== undefined && refusalOf(search.setting) === undefined ? search.setting : undefined;
  useEffect(() => {
    if (opened !== undefined) openDraft(opened);
  }, [opened]);

  useEffect(() => closeUntouched, []);
  useShortcuts('Settings', [
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
          <Count count={data && found.length} noun="setting" className={styles.count} />
          <BarEnd>
            <Button variant="default" onClick={() => set({ dialog: 'import' }, { push: true })}>
              Import
            </Button>
            <Suspense fallback={<ExportButton aria-disabled />}>
              <ExportMenu rows={rows} found={isFiltered ? found : undefined} />
            </Suspense>
            <Button onClick={() => set({ dialog: 'add' }, { push: true })}>Add a setting</Button>
          </BarEnd>
        </>
      }
    >
      <PageContent>
        {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <SettingGroupSkeleton />}
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
          <SettingGroup key={group} name={group} rows={found.filter((row) => groupOf(row) === group)} />
        ))}
      </PageContent>
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
