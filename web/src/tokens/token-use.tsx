import { Link } from '@tanstack/react-router';
import { basePath } from '../app/data/client.ts';
import { CopiedText } from '../parts/copied-text.tsx';
import sheet from '../parts/sheet.module.css';

interface TokenUseProps {
  readonly secret: string;
  readonly isIntake: boolean;
  readonly onCopy: () => void;
}

/** How to use a token. */
export function TokenUse({ secret, isIntake, onCopy }: TokenUseProps) {
  const address = `${location.origin}${basePath}`;
  if (isIntake)
    return (
      <p>
        <Link to="/connect">Connect your website</Link> has samples of what it may send.
      </p>
    );
  return (
    <div className={sheet.stack}>
      <p>With curl:</p>
      <CopiedText
        label="Command for curl"
        text={`curl -H "Authorization: Bearer ${secret}" "${address}/api/admin/issues?limit=10"`}
        onCopy={onCopy}
      />
      <p>With the command line of Backoffice:</p>
      <CopiedText
        label="Commands for backoffice"
        text={`export BACKOFFICE_SERVER=${address}\nexport BACKOFFICE_TOKEN=${secret}\nbackoffice issues list`}
        onCopy={onCopy}
      />
    </div>
  );
}
