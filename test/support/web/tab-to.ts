import type { Locator } from 'playwright-core';

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
