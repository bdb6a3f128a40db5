import { Button } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { commandKey } from '../app/commands/keys.ts';
import { copyText } from './export.ts';
import styles from './parts.module.css';

const shownMs = 2_000;

interface CopiedTextProps {
  /** What it is, such as `Secret`. */
  readonly label: string;
  readonly text: string;
  /** Called when the text was copied, by the button or by hand. */
  readonly onCopy?: () => void;
}

/** A text for another program, with a button that copies it. */
export function CopiedText({ label, text, onCopy }: CopiedTextProps) {
  const content = useRef<HTMLElement>(null);
  const [result, setResult] = useState<'copied' | 'failed'>();
  const { start } = useTimeout(() => setResult(undefined), shownMs);
  async function copy(): Promise<void> {
    const isCopied = content.current !== null && (await copyText(content.current));
    setResult(isCopied ? 'copied' : 'failed');
    if (isCopied) onCopy?.();
    start();
  }
  return (
    <figure className={styles.copied} aria-label={label}>
      <code ref={content} className={styles.copiedText} onCopy={onCopy}>
        {text}
      </code>
      <Button
        variant="default"
        size="compact-sm"
        className={styles.copy ?? ''}
        aria-label={result === undefined ? `Copy ${label.toLowerCase()}` : undefined}
        onClick={() => void copy()}
      >
        {result === undefined ? 'Copy' : result === 'copied' ? 'Copied' : `Press ${commandKey}+C`}
      </Button>
    </figure>
  );
}
