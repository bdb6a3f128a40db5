import { SegmentedControl } from '@mantine/core';
import {
  readSecondFactorPolicy,
  secondFactorKey,
  secondFactorModes,
} from '../../../../src/contract/known-settings/second-factor.ts';
import { type Role, roles } from '../../../../src/contract/vocabulary.ts';
import item from '../setting-item.module.css';
import styles from './fields.module.css';
import type { FieldProps } from './setting-field.tsx';

const modes = secondFactorModes.map((mode) => ({
  value: mode,
  label: mode[0]?.toUpperCase() + mode.slice(1),
}));

/** Chooses the mode of each role. */
export function SecondFactorField({ text, onChange, error }: FieldProps) {
  const { value: policy } = readSecondFactorPolicy({ [secondFactorKey]: text });

  function choose(role: Role, mode: string): void {
    const chosen = { ...policy, [role]: mode };
    const isSame = new Set(Object.values(chosen)).size === 1;
    onChange(isSame ? mode : JSON.stringify(chosen));
  }

  return (
    <div className={styles.stack}>
      {roles.map((role) => (
        <div key={role} className={styles.role}>
          <span id={`second-factor-${role}`}>{role}</span>
          <SegmentedControl
            aria-labelledby={`second-factor-${role}`}
            size="xs"
            data={modes}
            value={policy[role]}
            onChange={(mode) => choose(role, mode)}
          />
        </div>
      ))}
      <p className={item.description}>
        Optional asks accounts that have a second factor. Required also asks those that have none: they get a
        code by email, or set one up first.
      </p>
      {error !== undefined && (
        <p className={item.problem} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
