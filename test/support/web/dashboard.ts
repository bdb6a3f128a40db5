import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { watchPage } from '../browser/browser.ts';
import { type Backoffice, backofficeOfThisFile } from '../http/backoffice.ts';
import type { SignedIn } from '../http/service.ts';
import { type WindowOptions, Windows } from './windows.ts';

export interface OpenOptions extends WindowOptions {
  /** Who is signed in; null for nobody. By default the superadmin. */
  readonly as?: Pick<SignedIn, 'cookie'> | null;
  /** Statuses of the API that the test causes. A page without a session asks who is signed in, which is a 401. */
  readonly expected?: readonly number[];
  /** Whether the test cuts the connection of the page, so that requests fail. */
  readonly isCutOff?: boolean;
  /** Parts of errors on the console that the test causes. */
  readonly errors?: readonly string[];
}

/** The web dashboard of one test file: the service with its database. */
export interface Dashboard {
  readonly backoffice: Backoffice;
  /**
   * Opens a page in a window of its own, as another person would. Once the test is finished, the window must have had no
   * problem: no error on the console, no violation of the policy, no failed request, no unexpected status.
   */
  open(path: string, options?: OpenOptions): Promise<Page>;
}

/** Starts the service before the tests of the calling file, and stops it after them. */
export function dashboardOfThisFile(
  env: Record<string, string> | (() => Record<string, string>) = {},
): Dashboard {
  const backoffice = backofficeOfThisFile(env);
  const windows = new Windows();
  afterAll(() => windows.close());

  return {
    backoffice,
    async open(path, options = {}) {
      const { as = backoffice.superadmin, expected = [], isCutOff = false, errors = [], ...window } = options;
      const opened = await windows.open(window);
      const { context, page } = opened;
      const { url } = backoffice.service;
      if (as !== null) {
        const [name = '', value = ''] = as.cookie.split('=', 2);
        await context.addCookies([{ name, value: decodeURIComponent(value), url }]);
      }
      const problems = watchPage(page, as === null ? [401, ...expected] : expected);
      onTestFinished(async () => {
        await windows.release(opened, url);
        const caused = isCutOff ? [...errors, 'net::ERR_'] : errors;
        const others = problems.filter((problem) => !caused.some((part) => problem.includes(part)));
        expect(withoutEndedStreams(others)).toEqual([]);
      });
      await page.goto(url + path);
      return page;
    },
  };
}

/** Leaves out the requests that end with their page: the stream of events, and what a page no longer needs. */
function withoutEndedStreams(problems: readonly string[]): readonly string[] {
  return problems.filter((problem) => !problem.endsWith('net::ERR_ABORTED'));
}
