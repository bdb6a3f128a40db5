import type { Page } from 'playwright-core';

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
