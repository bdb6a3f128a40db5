import { Autocomplete, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { isOn } from '../../../../src/contract/known-settings/known-settings.ts';
import { isJson, type SettingRow, titleOf } from '../setting-rows.ts';
import { ColourField } from './colour-field.tsx';
import { JsonField } from './json-field.tsx';
import { PictureField } from './picture-field.tsx';
import { SecondFactorField } from './second-factor-field.tsx';

/** What the field of each kind of value gets. */
export interface FieldProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Why the service refused the text. */
  readonly error: string | undefined;
}

interface SettingFieldProps extends Omit<FieldProps, 'label'> {
  readonly row: SettingRow;
}

/** The right field for a setting. */
export function SettingField({ row, text, onChange, error }: SettingFieldProps) {
  const label = titleOf(row);
  const field = { label, text, onChange, error };
  const plain = { 'aria-label': label, value: text, error, autoFocus: true } as const;
  const placeholder = row.known?.fallback ?? '';
  switch (row.known?.kind) {
    case 'picture':
      return <PictureField {...field} />;
    case 'colour':
      return <ColourField {...field} />;
    case 'second-factor':
      return <SecondFactorField {...field} />;
    case 'json':
      return <JsonField {...field} />;
    case 'switch':
      return (
        <Switch
          aria-label={label}
          label={isOn(row.known, text) ? 'On' : 'Off'}
          checked={isOn(row.known, text)}
          error={error}
          autoFocus
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? (row.known?.on ?? '') : '')}
        />
      );
    case 'lines':
      return <Textarea {...plain} rows={4} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
    case 'text':
      return (
        <TextInput
          {...plain}
          placeholder={placeholder}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'timezone':
      return (
        <Select
          {...plain}
          value={text === '' ? null : text}
          data={withCurrent(['UTC', ...Intl.supportedValuesOf('timeZone')], text)}
          placeholder={placeholder}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Use the default' }}
          limit={100}
          nothingFoundMessage="No such time zone"
          onChange={(zone) => onChange(zone ?? '')}
        />
      );
    case 'currency':
      return (
        <Autocomplete
          {...plain}
          data={Intl.supportedValuesOf('currency')}
          placeholder={placeholder}
          limit={50}
          onChange={onChange}
        />
      );
    case 'days':
      return (
        <NumberInput
          {...plain}
          placeholder={placeholder}
          suffix=" days"
          min={1}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          onChange={(days) => onChange(String(days))}
        />
      );
    default:
      if (isJson(row)) return <JsonField {...field} />;
      // A secret may have several lines.
      return row.isSecret || (row.value ?? '').includes('\n') || (row.value ?? '').length > 100 ? (
        <Textarea
          {...plain}
          placeholder={row.isSecret ? 'A new value' : ''}
          rows={row.isSecret ? 2 : 6}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <TextInput {...plain} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
      );
  }
}

/** Keeps a value that is not among the choices, so that the field does not seem empty. */
function withCurrent(choices: readonly string[], text: string): string[] {
  return [...new Set(text === '' ? choices : [text, ...choices])];
}
