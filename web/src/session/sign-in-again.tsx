import { useState } from 'react';
import type { PendingOf } from '../../../src/contract/registry.ts';
import { useSession } from '../app/session/session.ts';
import { askForSession } from '../app/session/session-end.ts';
import { Dialog } from '../form/dialog.tsx';
import { useReturnFocus } from '../form/use-return-focus.ts';
import { PasswordStep } from './password-step.tsx';
import { SecondStep } from './second-step.tsx';

/** Starts a new session over the page, which keeps what is typed there. */
export function SignInAgain({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useSession();
  const [challenge, setChallenge] = useState<PendingOf<'session.create'>>();
  useReturnFocus();

  async function finish(): Promise<void> {
    await askForSession();
    onClose();
  }

  return (
    <Dialog opened title="Sign in again" zIndex={400} onClose={onClose} closeOnClickOutside={false}>
      {challenge === undefined ? (
        <PasswordStep
          isAgain
          email={admin.email}
          reason="A new session begins. Nothing on this page is lost."
          onChallenge={setChallenge}
          onDone={finish}
        />
      ) : (
        <SecondStep isAgain challenge={challenge} onRestart={() => setChallenge(undefined)} onDone={finish} />
      )}
    </Dialog>
  );
}
