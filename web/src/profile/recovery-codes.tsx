import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { confirm } from '../form/confirm.tsx';
import { Dialog } from '../form/dialog.tsx';
import { useReturnFocus } from '../form/use-return-focus.ts';
import { DialogContent } from '../parts/dialogs/dialog-layout.tsx';
import { copyText } from '../parts/files/copy-text.ts';
import { download } from '../parts/files/download.ts';
import styles from './factor-dialogs.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows recovery codes for the only time. Closing asks first if nobody has kept them. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const list = useRef<HTMLUListElement>(null);
  const [isKept, setIsKept] = useState(false);
  const [isCopied, setIsCopied] = useState(false);
  useReturnFocus();

  async function copy(): Promise<void> {
    if (list.current === null || !(await copyText(list.current))) return;
    setIsCopied(true);
    setIsKept(true);
  }

  function save(): void {
    download(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'backoffice-recovery-codes.txt');
    setIsKept(true);
  }

  function printOut(): void {
    print();
    setIsKept(true);
  }

  async function close(): Promise<void> {
    const isSure =
      isKept ||
      (await confirm({
        title: 'Close without keeping the codes?',
        text: 'You cannot see them again. You can replace them with new ones later.',
        action: 'Close',
      }));
    if (isSure) onClose();
  }

  return (
    <Dialog opened title="Your recovery codes" onClose={() => void close()} closeOnClickOutside={false}>
      <DialogContent>
        <p className={styles.note}>
          Each signs you in once, when you do not have your factor. <strong>Keep them now:</strong> you cannot
          see them again.
        </p>
        <ul ref={list} className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{`${code}\n`}</li>
          ))}
        </ul>
        <div className={styles.buttons}>
          <div className={styles.ways}>
            <Button variant="default" onClick={() => void copy()}>
              {isCopied ? 'Copied' : 'Copy'}
            </Button>
            <Button variant="default" onClick={save}>
              Download
            </Button>
            <Button variant="default" onClick={printOut}>
              Print
            </Button>
          </div>
          <Button onClick={() => void close()}>Done</Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
