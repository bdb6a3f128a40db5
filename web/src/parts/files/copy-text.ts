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
