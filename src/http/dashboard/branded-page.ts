import type { ShownBranding } from '../../contract/known-settings/branding.ts';
import { escapeHtml } from '../../shared/text/escape-html.ts';
import type { CurrentBranding } from './branding-reader.ts';

/** Returns what the page shows of a branding. */
export function shownBranding({ name, version, logo }: CurrentBranding): ShownBranding {
  return { name, version, logo: logo && `branding/logo?v=${version}` };
}

/** Returns the page with its branding: the title and the icon of the window, and what the script shows. */
export function withBranding(page: string, branding: CurrentBranding): string {
  const { name, version, logo } = shownBranding(branding);
  const icon = logo === null ? '$&' : `<link rel="icon" href="./${logo}">`;
  return page
    .replace(/<link rel="icon"[^>]*>/, icon)
    .replace('href="./branding.css"', `href="./branding.css?v=${version}"`)
    .replace('<title>Backoffice</title>', () => `<title>${escapeHtml(name)}</title>`)
    .replace('name="branding" content=""', () => {
      return `name="branding" content="${escapeHtml(JSON.stringify({ name, version, logo }))}"`;
    });
}
