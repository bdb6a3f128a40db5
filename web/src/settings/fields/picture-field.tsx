import { Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import { maxLogoBytes } from '../../../../src/contract/known-settings/branding.ts';
import { useBranding } from '../../app/theme/branding.tsx';
import item from '../setting-item.module.css';
import styles from './fields.module.css';
import type { FieldProps } from './setting-field.tsx';

const types = 'image/png,image/svg+xml,image/webp';

/** A picture from a file, as it looks in the header of both themes. */
export function PictureField({ text, onChange, error }: FieldProps) {
  const { name } = useBranding();
  const [problem, setProblem] = useState<string>();

  async function take(file: File | null): Promise<void> {
    if (file === null) return;
    // The service checks the content. A larger file would not even reach it.
    const isTooLarge = file.size > maxLogoBytes;
    setProblem(isTooLarge ? `${file.name} is larger than 64 kB. Choose a smaller picture.` : undefined);
    if (!isTooLarge) onChange(await dataAddressOf(file));
  }

  const message = problem ?? error;
  return (
    <div className={styles.stack}>
      <div className={item.line}>
        <FileButton accept={types} onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} variant="default" autoFocus>
              Choose a file
            </Button>
          )}
        </FileButton>
        {text !== '' && (
          <Button variant="subtle" onClick={() => onChange('')}>
            Use the default
          </Button>
        )}
      </div>
      {text !== '' && (
        <div className={styles.headers}>
          {['light', 'dark'].map((theme) => (
            <div key={theme} className={styles.header} data-theme={theme}>
              <img src={text} alt={`The logo in the ${theme} theme`} className={styles.logo} />
              <strong>{name}</strong>
            </div>
          ))}
        </div>
      )}
      {message !== undefined && (
        <p className={item.problem} role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

function dataAddressOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
