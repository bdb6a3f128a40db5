import { createHash } from 'node:crypto';
import { type Response, Router } from 'express';
import { shadesOf } from '../../contract/known-settings/accent-shades.ts';
import { type Branding, readBranding, type ShownBranding } from '../../contract/known-settings/branding.ts';
import { brandingKeys } from '../../contract/known-settings/settings.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { escapeHtml } from '../../shared/text.ts';
import { namesTag } from '../responses/conditional.ts';
import { settingsReader } from '../settings-reader.ts';

export interface CurrentBranding extends Branding {
  readonly style: string;
  /** Differs as soon as anything of it does. */
  readonly version: string;
}

type ReadBranding = (version?: string) => Promise<CurrentBranding>;

/** Returns a function that reads the branding, unless the one that was read last has the wanted version. */
export function brandingReader(databases: Databases): ReadBranding {
  const { last, read } = settingsReader(databases, brandingKeys, (settings) =>
    currentBranding(readBranding(settings).value),
  );
  return async (version) => (version === last().version ? last() : await read());
}

function currentBranding({ name, logo, accent }: Branding): CurrentBranding {
  const style = brandingStyle(accent);
  const hash = createHash('sha256').update(JSON.stringify([name, logo, style]));
  return { name, logo, accent, style, version: hash.digest('base64url').slice(0, 12) };
}

/** Returns the style sheet of an accent. It outweighs that of the theme, whichever is loaded first. */
function brandingStyle(accent: string | null): string {
  if (accent === null) return '';
  const { light, dark, filled, filledHover } = shadesOf(accent);
  const theme = (name: string, shades: typeof light) => `:root:root[data-mantine-color-scheme="${name}"] {
  --accent: ${shades.accent};
  --accent-soft: ${shades.selection};
  --mantine-color-anchor: ${shades.accent};
  --mantine-color-blue-filled: ${filled};
  --mantine-color-blue-filled-hover: ${filledHover};
  --mantine-color-blue-text: ${shades.accent};
  --mantine-color-blue-outline: ${shades.accent};
  --mantine-color-blue-outline-hover: ${shades.selection};
  --mantine-color-blue-light: ${shades.selection};
  --mantine-color-blue-light-hover: ${shades.selection};
  --mantine-color-blue-light-color: ${shades.accent};
}
`;
  return theme('light', light) + theme('dark', dark);
}

/** A picture is shown as an image only. One that is opened by itself runs nothing and loads nothing. */
const policyOfLogo = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves the name, the logo and the colours, which a page needs before a sign-in. Browsers keep a file by its version. */
export function brandingRouter(read: ReadBranding): Router {
  const router = Router();
  router.get('/branding.json', async (_req, res) => {
    const branding = await read();
    if (!isKept(res, branding)) res.json(shownBranding(branding));
  });
  router.get('/branding.css', async (req, res) => {
    const branding = await read(String(req.query.v));
    if (!isKept(res, branding)) res.type('css').send(branding.style);
  });
  router.get('/branding/logo', async (req, res, next) => {
    const branding = await read(String(req.query.v));
    if (branding.logo === null) return next();
    res.setHeader('Content-Security-Policy', policyOfLogo);
    if (!isKept(res, branding))
      res.type(branding.logo.type).send(Buffer.from(branding.logo.base64, 'base64'));
  });
  return router;
}

/**
 * Lets browsers keep a file under the address with its version for a year. Under another, they ask each time. Answers, and
 * returns true, if the browser has this version already. Express would not, if it asks with `no-cache`.
 */
function isKept(res: Response, { version }: CurrentBranding): boolean {
  const isVersioned = res.req.query.v === version;
  res.setHeader('Cache-Control', isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache');
  res.setHeader('ETag', `"${version}"`);
  const isFresh = namesTag(res.req.headers['if-none-match'], version);
  if (isFresh) res.status(304).end();
  return isFresh;
}

function shownBranding({ name, version, logo }: CurrentBranding): ShownBranding {
  return { name, version, logo: logo && `branding/logo?v=${version}` };
}

/** Returns the page with its branding: the title and the icon of the window, and what the script shows. */
export function withBranding(page: string, branding: CurrentBranding): string {
  const shown = shownBranding(branding);
  const icon = shown.logo === null ? '$&' : `<link rel="icon" href="./${shown.logo}">`;
  return page
    .replace(/<link rel="icon"[^>]*>/, icon)
    .replace('href="./branding.css"', `href="./branding.css?v=${shown.version}"`)
    .replace('<title>Backoffice</title>', () => `<title>${escapeHtml(shown.name)}</title>`)
    .replace(
      'name="branding" content=""',
      () => `name="branding" content="${escapeHtml(JSON.stringify(shown))}"`,
    );
}
