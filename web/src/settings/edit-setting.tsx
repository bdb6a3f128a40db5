import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { KnownSetting } from '../../../src/contract/known-settings/known-settings.ts';
import { currencyOf, timeZoneKey } from '../../../src/contract/known-settings/token-settings.ts';
import { queryClient } from '../app/data/query-client.ts';
import { useKept } from '../app/kept.ts';
import { useSettingRefusal } from '../app/session/permissions.ts';
import type { Field } from '../form/field.tsx';
import { type Draft, draftNameOf } from '../form/form.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { useGo } from '../kit/go.ts';
import { monthNow } from '../parts/months.tsx';
import { type RowsKind, rowsKindOf, rowsProblem, storedWith } from './model-rows.ts';
import { rowsInputOf } from './rows-input.tsx';
import { CodeInput, ColourInput, PictureInput, SecondFactorInput, switchOf } from './setting-inputs.tsx';
import {
  changeSetting,
  inWords,
  isJson,
  isSet,
  parsed,
  rowsOf,
  type SettingRow,
  settingsQuery,
  useSettings,
} from './setting-rows.ts';

const route = getRouteApi('/signed-in/settings');

/** Edits the value of a setting, by what it is. */
export function EditSetting({ settingKey }: { readonly settingKey: string }) {
  const { as, model } = route.useSearch();
  const { data: rows = [] } = useSettings();
  const go = useGo();
  const isThis = ({ key }: SettingRow) => key === settingKey;
  const found = rows.find(isThis);
  // As it is when the form opens: a colleague may change it to something else, or delete it.
  const [opened] = useState(found);
  const [kind] = useState(() =>
    as === undefined && opened?.problem === undefined ? rowsKindOf(settingKey) : undefined,
  );
  const [field] = useState(() => opened && fieldOf(opened, kind, rows));
  const [month] = useState(() => monthIn(rows));
  const keep = opened?.isSecret ? undefined : `setting.${settingKey}${kind ? '.rows' : ''}`;
  const [draft] = useKept<Draft<{ readonly value: string }>>(draftNameOf(keep ?? ''));
  /** What the person knows to be stored. Only a refusal because of it makes it newer. */
  const seen = useRef(opened?.value ?? null);
  const isCode = opened !== undefined && isJson(opened);
  // What is typed changes what it began with, also after another sign-in.
  const [start] = useState(() => draft?.start ?? valuesOf(opened));
  if (opened === undefined || field === undefined) return null;

  const { known } = opened;
  const isSecret = opened.isSecret || found?.isSecret === true;
  const becameSecret = isSecret && !opened.isSecret;
  function valuesOf(row: SettingRow | undefined) {
    const stored = row?.value ?? '';
    if (kind === undefined) return { value: isCode ? formatJson(stored) : stored };
    const shown = kind.rowsOf(stored, month);
    const isMissing = model !== undefined && !shown.some((row) => row.model === model);
    return { value: JSON.stringify(isMissing ? [...shown, { model }] : shown) };
  }

  return (
    <FormDialog
      title={`Edit ${settingKey}`}
      size={kind || isCode ? 'lg' : 'md'}
      fields={{ value: field }}
      start={start}
      {...(keep !== undefined && !isSecret && { keep })}
      now={becameSecret ? start : valuesOf(found)}
      text={becameSecret ? 'Somebody has made it secret meanwhile. Save to replace the secret.' : undefined}
      what={settingKey}
      at={['setting', 'as']}
      reread={async () => {
        const fresh = rowsOf(await queryClient.ensureQueryData(settingsQuery)).find(isThis);
        seen.current = fresh?.value ?? null;
        return valuesOf(fresh);
      }}
      send={async ({ value: typed = '' }) => {
        const before = isSecret ? undefined : seen.current;
        const text = kind ? storedWith(kind, before ?? '', start.value, typed, month) : typed;
        // A setting that the service reads has its default if its field is empty.
        const after = known !== undefined && text === '' ? null : text;
        const change = { key: settingKey, before, after, isSecret };
        await changeSetting(change, `${settingKey} ${after === null ? 'deleted' : 'saved'}.`);
      }}
      onCancel={() => go({ setting: undefined, as: undefined, model: undefined }, true)}
    />
  );
}

/** Returns the month that it is for the service, from which a changed price holds. */
function monthIn(rows: readonly SettingRow[]): string {
  const zone = rows.find(({ key }) => key === timeZoneKey);
  return monthNow((zone?.problem === undefined && zone?.value) || 'UTC');
}

/** The inputs of the kinds of settings that the service reads. Others are lines. */
const inputs: Partial<Record<KnownSetting['kind'], Partial<Field>>> = {
  lines: { kind: 'text' },
  picture: { kind: 'own', input: PictureInput },
  colour: { kind: 'own', input: ColourInput },
  json: { kind: 'own', input: CodeInput },
  'second-factor': { kind: 'own', input: SecondFactorInput },
  timezone: {
    kind: 'word',
    suggest: { queryKey: ['zones'], queryFn: () => ['UTC', ...Intl.supportedValuesOf('timeZone')] },
  },
  currency: {
    kind: 'word',
    suggest: { queryKey: ['currencies'], queryFn: () => Intl.supportedValuesOf('currency') },
  },
};

function fieldOf(row: SettingRow, kind: RowsKind | undefined, rows: readonly SettingRow[]): Field {
  const { known, value, isSecret } = row;
  const common = { label: known?.title ?? 'Value', say: (text: unknown) => inWords(row, String(text)) };
  if (kind !== undefined) {
    const settings = Object.fromEntries(rows.map(({ key, value }) => [key, value ?? '']));
    return {
      ...common,
      kind: 'own',
      about: kind.about(currencyOf(settings)),
      input: rowsInputOf(kind),
      check: (text) => rowsProblem(kind, String(text)),
    };
  }
  if (known !== undefined) {
    const { description, fallback, problemOf, on } = known;
    return {
      ...common,
      kind: 'line',
      ...inputs[known.kind],
      ...(on !== undefined && { kind: 'own', input: switchOf(on) }),
      about: on === undefined ? `${description} Default: ${fallback}.` : description,
      check: (text) => problemOf(String(text)),
    };
  }
  if (isJson(row))
    return {
      ...common,
      kind: 'own',
      input: CodeInput,
      check: (text) =>
        text === '' || parsed(String(text)) !== undefined ? undefined : 'This is not valid JSON.',
    };
  // A secret may have several lines.
  const isLong = isSecret || (value ?? '').includes('\n') || (value ?? '').length > 100;
  return {
    ...common,
    kind: isLong ? 'text' : 'line',
    ...(isSecret && { label: 'New value', about: 'It replaces the secret, which nobody can read.' }),
  };
}

/** Returns stored JSON with each entry on its own line, unless that would change it, such as a very large number. */
function formatJson(text: string): string {
  const value = parsed(text);
  return JSON.stringify(value) === text.trim() ? JSON.stringify(value, null, 2) : text;
}

const empty = { key: '', value: '', is_secret: false };

/** Adds a setting, if there is none with its key. */
export function AddSetting() {
  const { data: rows = [] } = useSettings();
  const go = useGo();
  const refusalOf = useSettingRefusal();
  const fields: Record<keyof typeof empty, Field> = {
    key: {
      label: 'Key',
      kind: 'line',
      isRequired: true,
      about: 'What your website asks for, such as support_email.',
      check: (key) =>
        rows.some((row) => row.key === key && isSet(row))
          ? `There is a setting ${key} already. Edit it instead.`
          : refusalOf(String(key)),
    },
    value: { label: 'Value', kind: 'text' },
    is_secret: {
      label: 'Secret',
      kind: 'flag',
      about: 'It is stored encrypted and shown to nobody. It can only be replaced or deleted.',
    },
  };
  return (
    <FormDialog
      title="Add a setting"
      action="Add"
      fields={fields}
      start={empty}
      at={['dialog']}
      send={({ key = '', value = '', is_secret: isSecret }) =>
        changeSetting({ key, before: null, after: value, isSecret }, `${key} added.`)
      }
      onCancel={() => go({ dialog: undefined }, true)}
    />
  );
}
