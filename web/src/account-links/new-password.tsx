import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const minLength = 6;
const maxLength = 1_024;

/** Says what is wrong with a new password. The service may ask for more, and says so. */
export function checkNewPassword(password: string): string | null {
  return password.length < minLength ? `Use at least ${minLength} characters.` : null;
}

/** The field for a new password. */
export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description="A sentence of your own is easy to remember and hard to guess."
      autoComplete="new-password"
      maxLength={maxLength}
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      {...props}
    />
  );
}
