import type { Browser, Page } from 'playwright-core';

/** Where the benchmark looks at the dashboard, and the account that it signs in with. */
export interface Window {
  readonly browser: Browser;
  readonly url: string;
  /** The `Cookie` header of the session. */
  readonly cookie: string;
}

/** Opens a page of the dashboard on a desk, signed in. The caller closes its context. */
export async function openPage({ browser, url, cookie }: Window, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const [name = '', value = ''] = cookie.split('=', 2);
  await context.addCookies([{ name, value: decodeURIComponent(value), url }]);
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByRole('status').getByText('Live').waitFor();
  return page;
}
