import {
  Button,
  FileButton,
  Input,
  Switch,
  Textarea,
  TextInput,
  useComputedColorScheme,
} from '@mantine/core';
import { useState } from 'react';
import { shadesOf } from '../../../src/contract/known-settings/accent-shades.ts';
import { maxLogoBytes } from '../../../src/contract/known-settings/branding.ts';
import {
  readSecondFactorPolicy,
  secondFactorKey,
} from '../../../src/contract/known-settings/second-factor.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { isColor } from '../../../src/shared/colors.ts';
import { useBranding } from '../app/theme/branding.tsx';
import { commonOf, type InputProps } from '../form/field.tsx';
import { Choice } from '../parts/choice.tsx';
import sheet from '../parts/sheet.module.css';
import styles from './settings.module.css';

/* The inputs of settings that no other form has. Their values are the stored texts. */

/** A switch, whose text is `on` or empty. */
export const switchOf = (on: string) =>
  function SwitchInput({ field: { label, about }, value, error, onChange }: InputProps) {
    return (
      <Switch
        label={label}
        description={about}
        error={error}
        checked={String(value).trim() === on}
        data-autofocus
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? on : '')}
      />
    );
  };

/** A text of several lines that a program reads. */
export function CodeInput(props: InputProps) {
  return (
    <Textarea
      {...commonOf(props)}
      autosize
      minRows={3}
      maxRows={20}
      spellCheck={false}
      autoCapitalize="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={String(props.value)}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}

const defaultAccent = '#1864ab';

/** A colour, chosen or typed, with how it looks in the theme that is in use. */
export function ColourInput(props: InputProps) {
  const { value, onChange } = props;
  const theme = useComputedColorScheme();
  const colour = String(value).trim();
  const accent = isColor(colour) ? colour : defaultAccent;
  const shades = shadesOf(accent);
  const { accent: shade, selection } = shades[theme];
  const wrong = theme === 'light' ? 'pale' : 'dark';
  return (
    <>
      <TextInput
        {...commonOf(props)}
        placeholder={defaultAccent}
        leftSection={
          <input
            type="color"
            className={styles.swatch}
            aria-label="Choose a colour"
            value={accent}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        }
        value={String(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <div className={sheet.row} aria-hidden="true">
        <span className={styles.sample} style={{ background: selection, color: shade }}>
          Issues
        </span>
        <span style={{ color: shade }}>A link</span>
        <span className={styles.sample} style={{ background: shades.filled, color: '#ffffff' }}>
          A button
        </span>
      </div>
      {shade !== accent.toLowerCase() && (
        <p className={`${sheet.text} ${sheet.quiet}`}>
          {`In the ${theme} theme it is too ${wrong} to read, so the nearest readable shade ${shade} is shown.`}
        </p>
      )}
    </>
  );
}

const pictureTypes = 'image/png,image/svg+xml,image/webp';

/** A picture from a file, as it looks in the header. */
export function PictureInput({ field: { label, about }, value, error, onChange }: InputProps) {
  const { name } = useBranding();
  const [problem, setProblem] = useState<string>();
  const text = String(value);

  function take(file: File | null): void {
    if (file === null) return;
    // The service checks the content. A larger file would not even reach it.
    const isTooLarge = file.size > maxLogoBytes;
    setProblem(isTooLarge ? `${file.name} is larger than 64 kB. Choose a smaller picture.` : undefined);
    if (isTooLarge) return;
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  }

  return (
    <Input.Wrapper label={label} labelElement="div" description={about} error={problem ?? error}>
      <div className={sheet.row} style={{ marginBlock: 8 }}>
        {text !== '' && (
          <>
            <img src={text} alt={label} className={sheet.logo} />
            <strong>{name}</strong>
          </>
        )}
        <FileButton accept={pictureTypes} onChange={take}>
          {(props) => (
            <Button {...props} variant="default" data-autofocus>
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
    </Input.Wrapper>
  );
}

const modes = { off: 'Off', optional: 'Optional', required: 'Required' };

/** The mode of each role. */
export function SecondFactorInput({ field: { label, about }, value, error, onChange }: InputProps) {
  const { value: policy } = readSecondFactorPolicy({ [secondFactorKey]: String(value) });
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={
        <>
          {about} Optional asks accounts that have a second factor. Required also asks those that have none:
          they get a code by e-mail, or set one up first.
        </>
      }
      error={error}
    >
      <div className={sheet.list} style={{ marginBlock: 8 }}>
        {roles.map((role) => (
          <div key={role} className={styles.role}>
            <span aria-hidden="true">{role}</span>
            <Choice
              label={role}
              words={modes}
              chosen={policy[role]}
              onChoose={(mode) => {
                const chosen = { ...policy, [role]: mode };
                const isSame = new Set(Object.values(chosen)).size === 1;
                onChange(isSame ? mode : JSON.stringify(chosen));
              }}
            />
          </div>
        ))}
      </div>
    </Input.Wrapper>
  );
}
