import { Link } from '@tanstack/react-router';
import { devicePath } from '../../../src/contract/pages.ts';
import { basePath } from '../app/data/client.ts';
import { Dialog } from '../form/dialog.tsx';
import { useReturnFocus } from '../form/use-return-focus.ts';
import { CopiedText } from '../parts/copied-text.tsx';
import sheet from '../parts/sheet.module.css';

/** How a person signs in from a shell, without copying a token. */
export function ShellHelp({ onClose }: { readonly onClose: () => void }) {
  useReturnFocus();
  return (
    <Dialog opened onClose={onClose} title="Sign in from a shell" size="lg">
      <div className={sheet.stack}>
        <p>You need no token for your own shell. Sign in once, and the commands work through this server:</p>
        <CopiedText label="Command to sign in" text={`backoffice login ${location.origin}${basePath}`} />
        <p>
          It shows a code and opens <Link to={devicePath}>the page that approves it</Link>. There you choose
          its rights and for how long. The token that it gets is listed here, and can be revoked like any
          other.
        </p>
        <CopiedText label="Command to sign out" text="backoffice logout" />
      </div>
    </Dialog>
  );
}
