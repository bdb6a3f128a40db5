/** Opens a page. Without a browser, nothing happens: the person opens the printed address somewhere else. */
export async function openBrowser(address: string): Promise<void> {
  const { default: open } = await import('open');
  await open(address).then(
    (browser) => browser.on('error', () => {}),
    () => {},
  );
}
