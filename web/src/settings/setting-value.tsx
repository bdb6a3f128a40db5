import { isOn } from '../../../src/contract/known-settings/known-settings.ts';
import {
  readSecondFactorPolicy,
  secondFactorKey,
} from '../../../src/contract/known-settings/second-factor.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { counted } from '../parts/numbers.ts';
import styles from './setting-item.module.css';
import { isJson, type SettingRow } from './setting-rows.ts';

/** Longer values are cut where they are shown. */
const maxShown = 300;

/** Shows a value as what it is. */
export function SettingValue({ row }: { readonly row: SettingRow }) {
  const { key, value, known, isSecret, problem } = row;
  if (isSecret) return <span className={styles.absent}>Secret</span>;
  if (value === null || (value === '' && known !== undefined)) {
    return (
      <span className={styles.absent}>{known === undefined ? 'Not set' : `Default: ${known.fallback}`}</span>
    );
  }
  if (value === '') return <span className={styles.absent}>Empty</span>;
  if (problem !== undefined) return <PlainValue value={value} />;
  if (known?.kind === 'picture') return <img className={styles.picture} src={value.trim()} alt="The logo" />;
  if (known?.kind === 'colour') {
    return (
      <span className={styles.colour}>
        <span className={styles.swatch} style={{ background: value.trim() }} />
        <code>{value.trim()}</code>
      </span>
    );
  }
  if (known?.kind === 'days') return <span className={styles.value}>{counted(Number(value), 'day')}</span>;
  if (known?.kind === 'switch')
    return <span className={styles.value}>{isOn(known, value) ? 'On' : 'Off'}</span>;
  if (known?.kind === 'second-factor') {
    const { value: policy } = readSecondFactorPolicy({ [secondFactorKey]: value });
    const modes = new Set(Object.values(policy));
    const text = modes.size === 1 ? policy.admin : roles.map((role) => `${role}: ${policy[role]}`).join(', ');
    return <span className={styles.value}>{text}</span>;
  }
  if (known !== undefined && !isJson(row)) return <span className={styles.value}>{value}</span>;
  return <PlainValue value={value} key={key} />;
}

function PlainValue({ value }: { readonly value: string }) {
  return (
    <code className={styles.value} title={value.length > maxShown ? `${value.length} characters` : undefined}>
      {value.slice(0, maxShown)}
      {value.length > maxShown && '…'}
    </code>
  );
}
