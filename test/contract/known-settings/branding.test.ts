import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shadesOf } from '../../../src/contract/known-settings/accent-shades.ts';
import { readBranding } from '../../../src/contract/known-settings/branding.ts';
import { contrastOf, luminanceOf } from '../../../src/shared/colors.ts';
import { png, svg } from '../../support/here/rows.ts';

const usual = { name: 'Backoffice', logo: null, accent: null };

test('has defaults, and reads valid settings', () => {
  expect(readBranding({})).toEqual({ value: usual, problems: [] });
  expect(readBranding({ site_name: ' ', site_logo: '', accent_color: '' })).toEqual({
    value: usual,
    problems: [],
  });
  expect(readBranding({ site_name: ' Ada & Co ', site_logo: svg, accent_color: '#0B7285' })).toEqual({
    value: {
      name: 'Ada & Co',
      logo: { type: 'image/svg+xml', base64: svg.split(',')[1] },
      accent: '#0b7285',
    },
    problems: [],
  });
  expect(readBranding({ site_logo: png }).value.logo?.type).toBe('image/png');
});

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

test.for([
  ['site_name', 'x'.repeat(61)],
  ['site_name', 'two\nlines'],
  ['accent_color', 'red'],
  ['accent_color', '#fff'],
  ['accent_color', '#0b7285;}body{display:none'],
  ['site_logo', 'https://example.com/logo.png'],
  ['site_logo', 'data:text/html;base64,PHN2Zz4='],
  ['site_logo', 'data:image/svg+xml,<svg/>'],
  ['site_logo', 'data:image/gif;base64,R0lGODlh'],
  ['site_logo', `data:image/png;base64,${base64('<svg></svg>')}`],
  ['site_logo', `data:image/webp;base64,${base64('RIFF....WAVE')}`],
  ['site_logo', `data:image/svg+xml;base64,${base64('<html></html>')}`],
  ['site_logo', 'data:image/png;base64,A'],
  ['site_logo', `data:image/svg+xml;base64,${base64(`<svg>${' '.repeat(64_000)}</svg>`)}`],
] as const)('counts an invalid value as absent, and says why: %s %s', ([key, value]) => {
  const { value: branding, problems } = readBranding({ [key]: value });
  expect(branding).toEqual(usual);
  expect(problems).toEqual([expect.stringContaining(`The setting ${key} must be`)]);
});

describe('the shades of an accent', () => {
  const channel = ['00', '55', 'aa', 'ff'];
  const accents = channel.flatMap((red) =>
    channel.flatMap((green) => channel.map((blue) => `#${red}${green}${blue}`)),
  );

  test.for(accents)('can be read in both themes: %s', (accent) => {
    const { light, dark, filled, filledHover } = shadesOf(accent);
    const contrasts = [
      ...['#ffffff', '#f5f6f8', '#e7f0fa', light.selection].map((surface) =>
        contrastOf(light.accent, surface),
      ),
      ...['#1d2025', '#15171b', '#1b3048', dark.selection].map((surface) => contrastOf(dark.accent, surface)),
      ...[filled, filledHover].map((button) => contrastOf('#ffffff', button)),
    ];
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    // As light as those of the theme, so that its other texts can be read on them too.
    expect(luminanceOf(light.selection)).toBeGreaterThanOrEqual(luminanceOf('#e7f0fa'));
    expect(luminanceOf(dark.selection)).toBeLessThanOrEqual(luminanceOf('#1b3048'));
  });

  test('are the accent itself where that can be read', () => {
    expect(shadesOf('#1864ab').light.accent).toBe('#1864ab');
    expect(shadesOf('#74b8f5').dark.accent).toBe('#74b8f5');
  });

  test('are computed for the surfaces that the theme has', () => {
    const theme = readFileSync('web/src/app/theme/theme.css', 'utf8');
    for (const color of ['--surface: #ffffff', '--accent-soft: #e7f0fa', '--surface: #1d2025'])
      expect(theme).toContain(color);
    expect(theme).toContain('--accent-soft: #1b3048');
  });
});
