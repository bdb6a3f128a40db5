import { readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  knownBackgrounds,
  pairOf,
  shownPair,
  sixteenColours,
} from '../../../../cli/reference/colour-schemes.ts';
import { nearestOf256 } from '../../../../cli/tui/colours/codes.ts';
import { contrastOf, isDark } from '../../../../cli/tui/colours/contrast.ts';
import { pairsOf, tones } from '../../../../cli/tui/colours/pairs.ts';
import { type PaletteName, palettes } from '../../../../cli/tui/colours/palettes.ts';
import { badge, changeLook, currentLook, pageCode, paletteOf, theme } from '../../../../cli/tui/theme.ts';

describe.each(Object.keys(palettes) as PaletteName[])('the colours of %s', (name) => {
  const palette = palettes[name];
  const isOnDark = isDark(palette.background);

  test.each(pairsOf(palette))('have enough contrast: $name', (pair) => {
    const [text, background] = pairOf(pair, palette);
    expect(contrastOf(text, background)).toBeGreaterThanOrEqual(palette.leastContrast);
    const nearest = [nearestOf256(text).rgb, nearestOf256(background).rgb] as const;
    expect(contrastOf(...nearest)).toBeGreaterThanOrEqual(palette.leastContrast);
    for (const [terminal, colours] of Object.entries(sixteenColours)) {
      const shown = shownPair(pair, isOnDark, colours);
      expect(contrastOf(...shown), terminal).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test.each(['dark', 'light'] as const)('the %s theme can be read on widespread backgrounds', (kind) => {
  for (const [scheme, background] of Object.entries(knownBackgrounds[kind])) {
    for (const tone of tones) {
      const { rgb } = palettes[kind][tone];
      expect(contrastOf(rgb, background), `${tone} on ${scheme}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

describe('the theme', () => {
  const before = currentLook();
  afterEach(() => changeLook(before));

  test('follows the background of the terminal, and otherwise what the environment says', () => {
    const auto = { theme: 'auto', depth: 24 } as const;
    expect(paletteOf({ ...auto, background: '#fdf6e3' })).toBe(palettes.light);
    expect(paletteOf({ ...auto, background: '#002b36' })).toBe(palettes.dark);
    expect(paletteOf({ ...auto, background: '#000000', isLightHint: true })).toBe(palettes.dark);
    expect(paletteOf({ ...auto, background: undefined, isLightHint: true })).toBe(palettes.light);
    expect(paletteOf({ ...auto, background: undefined })).toBe(palettes.dark);
    const high = { theme: 'high-contrast', depth: 24 } as const;
    expect(paletteOf({ ...high, background: '#ffffff' })).toBe(palettes.highContrastLight);
  });

  test('draws its own background only where its colours could not be read', () => {
    changeLook({ depth: 24, theme: 'dark', background: '#1e1e1e' });
    expect(pageCode()).toBe('');
    changeLook({ background: '#ffffff' });
    expect(pageCode()).toBe('38;2;228;228;228;48;2;18;18;18');
    changeLook({ theme: 'auto' });
    expect(pageCode()).toBe('');
    // In the middle, neither theme can be read.
    changeLook({ background: '#808080' });
    expect(pageCode()).toBe('38;2;28;28;28;48;2;255;255;255');
    changeLook({ depth: 4 });
    expect(pageCode()).toBe('30;107');
    changeLook({ depth: 1 });
    expect(pageCode()).toBe('');
  });

  test('draws in as many colours as there are', () => {
    changeLook({ theme: 'light', background: '#ffffff', depth: 24 });
    expect(theme.bad('x')).toBe('\u001B[38;2;175;0;0mx\u001B[39m');
    changeLook({ depth: 8 });
    expect(theme.bad('x')).toBe('\u001B[38;5;124mx\u001B[39m');
    expect(theme.selected('x')).toBe('\u001B[48;5;25m\u001B[38;5;231mx\u001B[39m\u001B[49m');
    changeLook({ depth: 4 });
    expect(theme.bad('x')).toBe('\u001B[31mx\u001B[39m');
    expect(badge('red')('x')).toBe('\u001B[41m\u001B[97mx\u001B[39m\u001B[49m');
    // Yellow on white cannot be read.
    expect(theme.warning('x')).toBe('\u001B[35mx\u001B[39m');
    changeLook({ depth: 1 });
    expect(theme.bad('x')).toBe('x');
    expect(theme.selected('x')).toBe('\u001B[7mx\u001B[27m');
    expect(theme.quiet('x')).toBe('\u001B[2mx\u001B[22m');
  });

  test('goes on after a style within it has ended', () => {
    changeLook({ theme: 'dark', background: '#000000', depth: 4 });
    expect(theme.quiet(`a ${theme.bad('b')} c`)).toBe(
      '\u001B[37ma \u001B[91mb\u001B[39m\u001B[37m c\u001B[39m',
    );
  });
});

test('only the themes name a colour', async () => {
  const folder = new URL('../../../../cli/tui/', import.meta.url);
  const files = await readdir(folder, { recursive: true });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/^(theme\.ts|colours\/)/.test(file));
  expect(sources.length).toBeGreaterThan(50);
  const naming = /styleText|chalk|picocolors|[cC]olor=|\\(u001B|x1b)\[[\d;]*m|'#[\da-f]{3,6}'/;
  const named: string[] = [];
  for (const file of sources) {
    if (naming.test(await readFile(new URL(file, folder), 'utf8'))) named.push(file);
  }
  expect(named).toEqual([]);
});
