import type { AdminSearch } from './admin-search.ts';
import { CreateAdmin } from './create-admin.tsx';
import { EditAdmin } from './edit-admin.tsx';
import { InviteAdmin } from './invite-admin.tsx';

interface AdminDialogsProps extends Pick<AdminSearch, 'dialog' | 'edit'> {
  readonly onClose: () => void;
}

/** The dialog of the page's address. All are loaded together, on demand. */
export function AdminDialogs({ dialog, edit, onClose }: AdminDialogsProps) {
  if (edit !== undefined) return <EditAdmin key={edit} id={edit} onClose={onClose} />;
  return dialog === 'invite' ? <InviteAdmin onClose={onClose} /> : <CreateAdmin onClose={onClose} />;
}
