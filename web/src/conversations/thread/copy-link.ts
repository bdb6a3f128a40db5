import { pages } from '../../../../src/contract/pages.ts';
import { basePath } from '../../app/client.ts';
import { copyText } from '../../parts/files/copy-text.ts';
import { tell } from '../../parts/tell.ts';

/** Copies the address of a conversation, without the filters of the list. */
export async function copyLink(id: string): Promise<void> {
  const element = document.createElement('span');
  element.textContent = `${location.origin}${basePath}${pages.conversations.path}?${new URLSearchParams({ id })}`;
  document.body.append(element);
  const isCopied = await copyText(element);
  element.remove();
  tell(isCopied ? 'Link copied' : 'The browser refused to copy. Copy the address of this page instead.');
}
