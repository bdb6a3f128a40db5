import type { Locator, Page } from 'playwright-core';

/**
 * Lets a page record its desktop notifications. A browser without a screen shows them nowhere, and grants no permission.
 * Runs in the page, so that it is a text: the tests know no DOM.
 */
export const recordNotices = `
  window.recorded = [];
  const Real = window.Notification;
  window.Notification = class extends Real {
    constructor(title, options) {
      super(title, options);
      window.recorded.push({ text: title + ': ' + options.body, notification: this });
    }
    static permission = 'default';
    static async requestPermission() {
      return (this.permission = 'granted');
    }
  };
`;

/** Tells a page whether it is hidden. A browser without a screen hides no tab. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

/** Returns what the desktop notifications of a page said. */
export async function noticesOf(page: Page): Promise<readonly string[]> {
  return await page.evaluate('window.recorded.map(({ text }) => text)');
}

/** Presses the first desktop notification of a page. */
export async function pressNotice(page: Page): Promise<void> {
  await page.evaluate(`window.recorded[0].notification.onclick(new Event('click'))`);
}

const maxPresses = 120;

/** Presses Tab, or another key, until an element has the focus. Rejects if that does not reach it. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < maxPresses; presses++) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${target}.`);
}
