import { Alert, Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLeaveWarning } from '../../app/kept/use-leave-warning.ts';
import { CopiedText } from '../files/copied-text.tsx';
import styles from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { DialogButtons, DialogContent } from './dialog-layout.tsx';
import { useReturnFocus } from './use-return-focus.ts';

interface SecretOnceProps {
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

/** Shows a secret for the only time. Closing asks first if nobody has copied it. */
export function SecretOnce({ title, label, secret, children, onClose }: SecretOnceProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  useLeaveWarning(!isCopied);
  useReturnFocus();
  const onCopy = () => setIsCopied(true);
  const close = () => (isCopied ? onClose() : setIsAsking(true));
  return (
    <Dialog opened onClose={close} title={title} size="lg" closeOnClickOutside={false}>
      <DialogContent>
        <p className={styles.sentence}>
          <strong>Copy it now.</strong> You cannot see it again.
        </p>
        <CopiedText label={label} text={secret} onCopy={onCopy} />
        {typeof children === 'function' ? children(onCopy) : children}
        {isAsking && !isCopied ? (
          <Alert color="red" role="alert" title="You have not copied it">
            <p className={styles.sentence}>Without it you have to create another one.</p>
            <DialogButtons>
              <Button variant="default" onClick={onClose}>
                Close without a copy
              </Button>
              <Button onClick={() => setIsAsking(false)}>Keep it open</Button>
            </DialogButtons>
          </Alert>
        ) : (
          <DialogButtons>
            <Button onClick={close}>Done</Button>
          </DialogButtons>
        )}
      </DialogContent>
    </Dialog>
  );
}
