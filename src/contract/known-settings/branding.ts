import { isColor } from '../../shared/colors.ts';
import { isPlainLine } from '../schemas/bounds.ts';
import {
  accentKey,
  brandingKeys,
  defaultName,
  logoKey,
  nameKey,
  type Readout,
  type Settings,
} from './settings.ts';

/** The looks of the web dashboard. A setting may hold any text (contract 4.7), so an invalid one counts as absent. */

const maxNameLength = 60;
/** Its text is four thirds as long, and must fit in a setting. */
export const maxLogoBytes = 64_000;

export interface Logo {
  readonly type: 'image/png' | 'image/svg+xml' | 'image/webp';
  readonly base64: string;
}

export interface Branding {
  readonly name: string;
  readonly logo: Logo | null;
  readonly accent: string | null;
}

export interface ShownBranding {
  readonly name: string;
  /** Differs as soon as anything of it does. */
  readonly version: string;
  /** The address of the logo, below that of the service; null without one. */
  readonly logo: string | null;
}

export function readBranding(settings: Settings): Readout<Branding> {
  const valid = (key: string) => {
    const text = (settings[key] ?? '').trim();
    return brandingProblem(key, text) === undefined ? text : '';
  };
  const problems = brandingKeys.flatMap((key) => brandingProblem(key, (settings[key] ?? '').trim()) ?? []);
  return {
    value: {
      name: valid(nameKey) || defaultName,
      logo: logoOf(valid(logoKey)) ?? null,
      accent: valid(accentKey).toLowerCase() || null,
    },
    problems,
  };
}

/** Returns what is wrong with one of these settings. An empty text is the default. */
export function brandingProblem(key: string, text: string): string | undefined {
  if (text === '') return undefined;
  if (key === nameKey) return nameProblem(text);
  if (key === logoKey) return logoProblem(text);
  return isColor(text) ? undefined : `The setting ${accentKey} must be a colour such as #0b7285.`;
}

function nameProblem(name: string): string | undefined {
  const isName = [...name].length <= maxNameLength && isPlainLine(name) && name.isWellFormed();
  return isName
    ? undefined
    : `The setting ${nameKey} must be one line of at most ${maxNameLength} characters.`;
}

function logoProblem(text: string): string | undefined {
  const logo = logoOf(text);
  if (logo === undefined)
    return `The setting ${logoKey} must be a PNG, SVG or WebP picture as a data: address in Base64.`;
  return bytesOf(logo) > maxLogoBytes ? `The setting ${logoKey} must be at most 64 kB large.` : undefined;
}

const dataAddress = /^data:(image\/(?:png|svg\+xml|webp));base64,([a-z0-9+/]+={0,2})$/i;

/** Returns a picture whose content is of the type that it says, or undefined. */
function logoOf(text: string): Logo | undefined {
  const [, type, base64 = ''] = dataAddress.exec(text) ?? [];
  const content = contentOf(base64);
  if (content === undefined) return undefined;
  if (type === 'image/png') return content.startsWith('\x89PNG\r\n\x1a\n') ? { type, base64 } : undefined;
  if (type === 'image/webp') return /^RIFF[\s\S]{4}WEBP/.test(content) ? { type, base64 } : undefined;
  if (type === 'image/svg+xml') return /<svg[\s>]/.test(content) ? { type, base64 } : undefined;
  return undefined;
}

function contentOf(base64: string): string | undefined {
  try {
    return base64 === '' ? undefined : atob(base64);
  } catch {
    return undefined;
  }
}

export function bytesOf({ base64 }: Logo): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}
