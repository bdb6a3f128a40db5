import { basePath } from '../app/data/client.ts';
import { tell } from './tell.ts';

/**
 * Copies the text of an element. Browsers give the clipboard only to pages of HTTPS and of this machine; elsewhere the
 * text is selected and copied as by the keyboard. Returns whether it was copied.
 */
export async function copyText(element: HTMLElement): Promise<boolean> {
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

/** Saves a file, as a link to it would. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
