import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** The field for one's own password, which is asked for again before what only the owner of an account may do. */
export function OwnPassword(props: PasswordInputProps) {
  return <PasswordInput label="Your password" autoComplete="current-password" {...props} />;
}
