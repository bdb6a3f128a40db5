import { TextInput } from '@mantine/core';
import { isColor } from '../../../../src/shared/colors.ts';
import { BrandingPreview } from '../branding-preview.tsx';
import item from '../setting-item.module.css';
import styles from './fields.module.css';
import type { FieldProps } from './setting-field.tsx';

const defaultAccent = '#1864ab';

/** A colour, chosen or typed, with how it looks in both themes. */
export function ColourField({ label, text, onChange, error }: FieldProps) {
  const colour = text.trim();
  const accent = isColor(colour) ? colour : undefined;
  return (
    <div className={styles.stack}>
      <div className={item.colour}>
        <input
          type="color"
          className={styles.picker}
          aria-label="Choose a colour"
          value={accent ?? defaultAccent}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <TextInput
          aria-label={label}
          placeholder={defaultAccent}
          value={text}
          error={error}
          autoFocus
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      {accent !== undefined && <BrandingPreview accent={accent} />}
    </div>
  );
}
