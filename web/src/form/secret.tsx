import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CopiedText } from '../parts/copied-text.tsx';
import sheet from '../parts/sheet.module.css';
import { Dialog } from './dialog.tsx';
import { useReturnFocus } from './dialog-keys.ts';
import { useUnsaved } from './unsaved.ts';

export interface SecretOnceProps {
  /** What has happened, such as `The token was created`. */
  readonly title: string;
  /** What the secret is called, such as `Secret`. */
  readonly label: string;
  /** The secret. It may have several lines, such as recovery codes. */
  readonly secret: string;
  /** How to use it. What copies the secret too calls `onCopy`. */
  readonly children?: ReactNode | ((onCopy: () => void) => ReactNode);
  readonly onClose: () => void;
}

/** Shows a secret for the only time. Whatever leads away from it asks first, until somebody has copied it. */
export function SecretOnce({ title, label, secret, children, onClose }: SecretOnceProps) {
  const [isCopied, setIsCopied] = useState(false);
  const onCopy = () => setIsCopied(true);
  const { leave } = useUnsaved({
    isUnsaved: !isCopied,
    question: {
      title: 'Close without a copy?',
      text: 'It cannot be shown again, only replaced by a new one.',
      action: 'Close without a copy',
    },
  });
  useReturnFocus();
  const close = () => void leave(onClose);
  return (
    <Dialog opened onClose={close} title={title} size="lg" closeOnClickOutside={false}>
      <div className={sheet.stack}>
        <p className={sheet.text}>
          <strong>Copy it now.</strong> It cannot be shown again.
        </p>
        <CopiedText label={label} text={secret} onCopy={onCopy} />
        {typeof children === 'function' ? children(onCopy) : children}
        <div className={sheet.buttons}>
          <Button onClick={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
