import type { ModalProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { saveSetting } from './save-setting.ts';
import type { Settings } from './usage-queries.ts';
import { useOvertaken } from './use-overtaken.tsx';

interface SettingDialogProps<Values extends object> {
  /** The title, and what the messages call the setting. */
  readonly title: string;
  readonly settingKey: string;
  readonly settings: Settings;
  /** Returns the entries of the setting in words, by their names. */
  readonly entriesOf: (settings: Settings) => ReadonlyMap<string, string>;
  /** What the setting has, and what it has without any entry. */
  readonly before: Values;
  readonly empty: Values;
  readonly initialValues: Values;
  readonly validate: (values: Values) => Record<string, string | null>;
  /** Returns the text of the setting with what was changed in the form. Its other entries stay as they are. */
  readonly textOf: (text: string | undefined, before: Values, after: Values) => string | undefined;
  readonly children: (form: UseFormReturnType<Values>) => ReactNode;
  readonly size?: ModalProps['size'];
  readonly onClose: () => void;
}

/** A form for the entries of a setting. A text that is no JSON object has no form: saving one would lose it. */
export function SettingDialog<Values extends object>(props: SettingDialogProps<Values>) {
  const { title, settingKey, settings, entriesOf, before, empty, initialValues, validate } = props;
  const { textOf, children, size, onClose } = props;
  const { isEditable, seen, isSeenReadable, action, onError, below } = useOvertaken(
    settingKey,
    settings,
    entriesOf,
  );
  if (!isEditable) return null;
  return (
    <FormDialog
      title={title}
      action={action}
      size={size}
      initialValues={initialValues}
      validate={validate}
      send={(after) => {
        const text = isSeenReadable ? textOf(seen, before, after) : textOf(undefined, empty, after);
        return saveSetting({ key: settingKey, name: title, seen, text: text ?? '{}' });
      }}
      onDone={onClose}
      onError={onError}
      below={below}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  );
}
