import { Button, Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type ShownGroup, shownGroups } from '../app/addresses/searches.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { useSettingRefusal } from '../app/session/permissions.ts';
import { useGo } from '../kit/go.ts';
import { download } from '../parts/download.ts';
import { Failure, Note } from '../parts/note.tsx';
import { Page, PageContent, Section } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import sheet from '../parts/sheet.module.css';
import { tell } from '../parts/tell.tsx';
import { counted, formatCount } from '../parts/words.ts';
import { SettingItem } from './setting-item.tsx';
import { groupOf, isFound, type SettingRow, useSettings } from './setting-rows.ts';
import styles from './settings.module.css';

const AddSetting = lazyPart(() => import('./edit-setting.tsx'), 'AddSetting');
const EditSetting = lazyPart(() => import('./edit-setting.tsx'), 'EditSetting');
const loading = () => <span className={sheet.pick} data-loading />;
const ChoiceFilter = lazyPart(() => import('../kit/choice-filter.tsx'), 'ChoiceFilter', loading);

const route = getRouteApi('/signed-in/settings');
const groupChoices = shownGroups.map((group) => ({ value: group, label: group }));

/** How many settings that the service does not read are shown at first: there may be thousands. */
const othersPerPage = 100;

const groupTexts: Readonly<Record<ShownGroup, string>> = {
  Appearance: 'How this dashboard looks, for everybody and on the sign-in page.',
  Visitors: 'How visitors of your website reach you, and you them.',
  Region: 'How days, months and amounts are shown.',
  Usage: 'What language models cost, and when to raise an alert.',
  Retention: 'How long data is kept. Older data is deleted once an hour.',
  Security: 'How accounts are protected.',
  Other: 'Settings of your website. The service stores them and does not read them.',
};

/** Lists the settings by group. Each is edited in a dialog, which the address opens. */
export function SettingsPage() {
  const search = route.useSearch();
  const { q, group, setting, as, dialog } = search;
  const { data, error, refetch } = useSettings();
  const go = useGo();
  const refusalOf = useSettingRefusal();
  const rows = data ?? [];
  const found = rows.filter((row) => isFound(row, search));
  const add = () => go({ dialog: 'add' });
  useShortcuts('Settings', [{ keys: 'c', title: 'Add a setting', run: add }]);
  const nothing =
    q === undefined && group === 'Other'
      ? {
          title: 'No settings of your website yet',
          children: 'Your website reads them with a token. The service stores them and does not read them.',
          action: { label: 'Add a setting', run: add },
        }
      : {
          title: 'No setting matches',
          action: { label: 'Clear the filters', run: () => go({ q: undefined, group: undefined }) },
        };
  return (
    <Page
      title="Settings"
      bar={
        <>
          <SearchField label="Search settings" text={q} onChange={(text) => go({ q: text }, true)} />
          <ChoiceFilter
            label="Group"
            choices={groupChoices}
            chosen={group}
            onChange={(chosen) => go({ group: chosen }, true)}
          />
          <span className={sheet.number} style={{ minWidth: '10ch' }} aria-live="polite">
            {data && counted(found.length, 'setting')}
          </span>
        </>
      }
      action={
        <>
          <Button variant="default" disabled={data === undefined} onClick={() => exportJson(rows)}>
            Export
          </Button>
          <Button onClick={add}>Add</Button>
        </>
      }
    >
      <PageContent className={`${sheet.column} ${styles.groups}`}>
        {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton height={600} data-loading />}
        {data !== undefined && found.length === 0 && <Note {...nothing} />}
        {shownGroups.map((name) => (
          <Group key={name} name={name} rows={found.filter((row) => groupOf(row) === name)} />
        ))}
      </PageContent>
      {dialog === 'add' && data && <AddSetting />}
      {setting !== undefined && data && refusalOf(setting) === undefined && (
        <EditSetting key={`${setting} ${as}`} settingKey={setting} />
      )}
    </Page>
  );
}

/** The settings of a group. Of very many, the first ones. */
function Group({ name, rows }: { readonly name: ShownGroup; readonly rows: readonly SettingRow[] }) {
  const [shown, setShown] = useState(othersPerPage);
  if (rows.length === 0) return null;
  return (
    <Section isPlain title={name} text={groupTexts[name]}>
      <ul className={sheet.items}>
        {rows.slice(0, shown).map((row) => (
          <SettingItem key={row.key} row={row} />
        ))}
      </ul>
      {rows.length > shown && (
        <div>
          <Button variant="default" onClick={() => setShown(shown + othersPerPage)}>
            Show more ({formatCount(rows.length - shown)} left)
          </Button>
        </div>
      )}
    </Section>
  );
}

/** Saves the settings as the JSON that `backoffice settings export` writes. */
function exportJson(rows: readonly SettingRow[]): void {
  const values = rows.flatMap(({ key, value }) => (value === null ? [] : [[key, value] as const]));
  const text = `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`;
  download(new Blob([text], { type: 'application/json' }), 'settings.json');
  if (rows.some(({ isSecret }) => isSecret)) tell('Settings exported, except secrets.');
}
