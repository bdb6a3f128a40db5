import { basePath } from '../app/data/client.ts';
import { useMay, useSettingRefusal } from '../app/session/permissions.ts';
import { confirm } from '../form/confirm.tsx';
import { useGo } from '../kit/go.ts';
import { GuardedButton, RowMenu } from '../parts/buttons.tsx';
import type { RowAction } from '../parts/floating.tsx';
import { Moment } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { tellError } from '../parts/tell.tsx';
import { rowsKindOf } from './model-rows.ts';
import { changeSetting, inWords, isJson, isSet, type SettingRow } from './setting-rows.ts';
import styles from './settings.module.css';

/** A setting: what it is for, its value, and what can be done with it. */
export function SettingItem({ row }: { readonly row: SettingRow }) {
  const { key, value, known, isSecret, updatedAt, updatedBy, problem } = row;
  const reason = useSettingRefusal()(key);
  const may = useMay();
  const go = useGo();
  const title = known?.title ?? key;
  const remove = () =>
    changeSetting(
      { key, before: isSecret ? undefined : value, after: null },
      known === undefined ? `${key} deleted.` : `${title} has its default again.`,
    );
  const question = {
    title: `Delete ${key}?`,
    text: 'Its value is secret, so this cannot be undone.',
    action: 'Delete',
    run: remove,
  };
  const actions: readonly (RowAction | false)[] = [
    rowsKindOf(key) !== undefined && {
      label: 'Edit as JSON',
      run: () => go({ setting: key, as: 'json' }),
      disabled: reason,
    },
    isSet(row) && {
      label: known === undefined ? 'Delete' : 'Reset to the default',
      run: () => void (isSecret ? confirm(question) : remove().catch(tellError)),
      disabled: reason,
      isDangerous: known === undefined,
    },
    may('audit.list') && {
      label: 'Show in the audit trail',
      run: () => window.location.assign(`${basePath}/audit?q=${encodeURIComponent(key)}`),
    },
  ];
  return (
    <li>
      <div className={sheet.lines}>
        <div className={sheet.row}>
          <h3 className={sheet.heading}>{title}</h3>
          {known && <code className={sheet.quiet}>{key}</code>}
        </div>
        {known && <p className={`${sheet.text} ${sheet.quiet}`}>{known.description}</p>}
      </div>
      <div className={sheet.lines} style={{ flex: '1 1 160px' }}>
        <Value row={row} />
        {problem && (
          <p className={`${sheet.text} ${sheet.warning}`}>{problem} It is ignored until you correct it.</p>
        )}
        {isSet(row) && updatedAt !== undefined && (
          <p className={`${sheet.text} ${sheet.quiet}`}>
            Changed <Moment at={updatedAt} />
            {updatedBy && ' by '}
            <bdi>{updatedBy}</bdi>
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <GuardedButton
          reason={reason}
          size="compact-sm"
          variant="subtle"
          aria-label={`Edit ${title}`}
          onClick={() => go({ setting: key })}
        >
          Edit
        </GuardedButton>
        <RowMenu name={title} actions={actions.filter((action) => action !== false)} />
      </div>
    </li>
  );
}

/** Shows a value as what it is. */
function Value({ row }: { readonly row: SettingRow }) {
  const { value, known, isSecret, problem } = row;
  if (isSecret) return <span className={sheet.quiet}>Secret</span>;
  if (value === null || (value === '' && known !== undefined))
    return (
      <span className={sheet.quiet}>{known === undefined ? 'Not set' : `Default: ${known.fallback}`}</span>
    );
  if (problem === undefined && known?.kind === 'picture')
    return <img className={sheet.logo} src={value.trim()} alt={known.title} />;
  if (problem === undefined && known?.kind === 'colour')
    return (
      <span className={sheet.row}>
        <span className={styles.swatch} style={{ background: value.trim() }} />
        <code>{value.trim()}</code>
      </span>
    );
  const text = problem === undefined ? inWords(row, value) : value;
  const isCode = problem !== undefined || (isJson(row) && rowsKindOf(row.key) === undefined);
  const Tag = isCode ? 'code' : 'p';
  return (
    <Tag className={`${sheet.text} ${styles.text}`} dir="auto">
      {text}
    </Tag>
  );
}
