import { Button } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { commandKey } from '../app/commands/keys.ts';
import { basePath } from '../app/data/client.ts';
import styles from './parts.module.css';
import { tell } from './tell.tsx';

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
        flex="none"
        miw={72}
        aria-label={result === undefined ? `Copy ${label.toLowerCase()}` : undefined}
        onClick={() => void copy()}
      >
        {result === undefined ? 'Copy' : result === 'copied' ? 'Copied' : `Press ${commandKey}+C`}
      </Button>
    </figure>
  );
}

/**
 * Copies the text of an element. Browsers give the clipboard only to pages of HTTPS and of this machine; elsewhere the
 * text is selected and copied as by the keyboard. Returns whether it was copied.
 */
async function copyText(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  }
}

/** Copies the address of a thing, without the filters of its list. */
export async function copyLink(path: string, search: Readonly<Record<string, string>>): Promise<void> {
  const element = document.createElement('span');
  element.textContent = `${location.origin}${basePath}${path}?${new URLSearchParams(search)}`;
  document.body.append(element);
  const isCopied = await copyText(element);
  element.remove();
  tell(isCopied ? 'Link copied' : 'The browser refused to copy. Copy the address of this page instead.');
}
