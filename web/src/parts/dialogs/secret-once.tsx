import { Alert, Button, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { CopiedText } from '../files/copied-text.tsx';
import styles from './secret-once.module.css';
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
    <Modal opened onClose={close} title={title} size="lg" closeOnClickOutside={false}>
      <div className={styles.content}>
        <p className={styles.text}>
          <strong>Copy it now.</strong> You cannot see it again.
        </p>
        <CopiedText label={label} text={secret} onCopy={onCopy} />
        {typeof children === 'function' ? children(onCopy) : children}
        {isAsking && !isCopied ? (
          <Alert color="red" role="alert" title="You have not copied it">
            <p className={styles.text}>Without it you have to create another one.</p>
            <div className={styles.buttons}>
              <Button variant="default" onClick={onClose}>
                Close without a copy
              </Button>
              <Button onClick={() => setIsAsking(false)}>Keep it open</Button>
            </div>
          </Alert>
        ) : (
          <div className={styles.buttons}>
            <Button onClick={close}>Done</Button>
          </div>
        )}
      </div>
    </Modal>
  );
}

/** Lets the browser ask before the window is closed or loaded again. */
function useLeaveWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isOn]);
}
