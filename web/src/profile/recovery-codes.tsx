import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Dialog } from '../form/dialog.tsx';
import { useReturnFocus } from '../form/dialog-keys.ts';
import { useUnsaved } from '../form/unsaved.ts';
import { copyText } from '../parts/copied-text.tsx';
import { download } from '../parts/download.ts';
import sheet from '../parts/sheet.module.css';
import styles from './factor-dialogs.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows recovery codes for the only time. Whatever leads away from them asks first, until somebody has kept them. */
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

  const { leave } = useUnsaved({
    isUnsaved: !isKept,
    question: {
      title: 'Close without keeping the codes?',
      text: 'You cannot see them again. You can replace them with new ones later.',
      action: 'Close',
    },
  });
  const close = () => void leave(onClose);

  return (
    <Dialog opened title="Your recovery codes" onClose={close} closeOnClickOutside={false}>
      <div className={sheet.stack}>
        <p className={sheet.text}>
          Each signs you in once, when you do not have your factor. <strong>Keep them now:</strong> you cannot
          see them again.
        </p>
        <ul ref={list} className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{`${code}\n`}</li>
          ))}
        </ul>
        <div className={sheet.between}>
          <div className={sheet.row}>
            <Button variant="default" onClick={() => void copy()}>
              {isCopied ? 'Copied' : 'Copy'}
            </Button>
            <Button variant="default" onClick={save}>
              Download
            </Button>
          </div>
          <Button onClick={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
