import { AccountDialog } from './account-dialog.tsx';
import { AppDialog } from './app-dialog.tsx';
import { CodesDialog } from './codes-dialog.tsx';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import type { ProfileSearch } from './profile-search.ts';

const dialogs = {
  account: AccountDialog,
  password: PasswordDialog,
  app: AppDialog,
  passkey: PasskeyDialog,
  codes: CodesDialog,
} as const;

interface ProfileDialogsProps {
  readonly dialog: NonNullable<ProfileSearch['dialog']>;
  readonly onClose: () => void;
}

/** The dialog of the page's address. All are loaded together, on demand. */
export function ProfileDialogs({ dialog, onClose }: ProfileDialogsProps) {
  const Dialog = dialogs[dialog];
  return <Dialog onClose={onClose} />;
}
