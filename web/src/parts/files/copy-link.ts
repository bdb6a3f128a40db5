import { basePath } from '../../app/data/client.ts';
import { tell } from '../tell.ts';
import { copyText } from './copy-text.ts';

/** Copies the address of a thing, without the filters of its list. */
export async function copyLink(path: string, search: Readonly<Record<string, string>>): Promise<void> {
  const element = document.createElement('span');
  element.textContent = `${location.origin}${basePath}${path}?${new URLSearchParams(search)}`;
  document.body.append(element);
  const isCopied = await copyText(element);
  element.remove();
  tell(isCopied ? 'Link copied' : 'The browser refused to copy. Copy the address of this page instead.');
}
