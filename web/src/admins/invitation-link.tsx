import { SecretOnce } from '../form/secret.tsx';

interface InvitationLinkProps {
  readonly email: string;
  readonly link: string;
  readonly onClose: () => void;
}

/** Shows the link of an invitation that was not sent by mail. */
export function InvitationLink({ email, link, onClose }: InvitationLinkProps) {
  return (
    <SecretOnce title={`Invitation for ${email}`} label="Link" secret={link} onClose={onClose}>
      <p>Pass it on to {email} in a way that nobody else reads. It works once, for 7 days.</p>
    </SecretOnce>
  );
}
