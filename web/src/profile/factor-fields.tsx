import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { OwnPassword } from '../parts/inputs/own-password.tsx';

interface FactorFieldsProps {
  readonly form: UseFormReturnType<{ name: string; password: string }>;
  /** An example of a name. */
  readonly example: string;
}

/** What every new factor needs: a name, and the password. */
export function FactorFields({ form, example }: FactorFieldsProps) {
  return (
    <>
      <TextInput
        label="What you call it"
        placeholder={example}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
        key={form.key('name')}
      />
      <OwnPassword {...form.getInputProps('password')} key={form.key('password')} />
    </>
  );
}
