import { Switch, Textarea, TextInput } from '@mantine/core';
import { knownSetting } from '../../../src/contract/known-settings/known-settings.ts';
import { useSettingRefusal } from '../app/session/use-setting-refusal.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { changeSettings } from './change-settings.ts';
import { isSet, type SettingRow } from './setting-rows.ts';

interface AddSettingProps {
  readonly rows: readonly SettingRow[];
  readonly onClose: () => void;
}

/** Adds a setting, if there is none with its key. */
export function AddSetting({ rows, onClose }: AddSettingProps) {
  const refusalOf = useSettingRefusal();
  const set = new Set(rows.filter(isSet).map(({ key }) => key));
  return (
    <FormDialog
      title="Add a setting"
      action="Add"
      initialValues={{ key: '', value: '', isSecret: false }}
      validate={{
        key: (key) => {
          if (key === '') return 'Enter a key.';
          if (set.has(key)) return `There is a setting ${key} already. Edit it instead.`;
          return refusalOf(key) ?? null;
        },
        isSecret: (isSecret, { key }) =>
          isSecret && knownSetting(key) !== undefined
            ? `${key} cannot be secret, because the service itself reads it.`
            : null,
      }}
      send={({ key, value, isSecret }) =>
        changeSettings([{ key, before: null, after: value, isSecret }], `${key} added.`)
      }
      onDone={onClose}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Key"
            placeholder="support_email"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...form.getInputProps('key')}
            key={form.key('key')}
          />
          <Textarea label="Value" rows={4} {...form.getInputProps('value')} key={form.key('value')} />
          <Switch
            label="Secret"
            description="The service stores it encrypted and shows it to nobody. It can only be replaced or deleted."
            {...form.getInputProps('isSecret', { type: 'checkbox' })}
            key={form.key('isSecret')}
          />
        </>
      )}
    </FormDialog>
  );
}
