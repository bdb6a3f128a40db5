import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccess } from '../../../../cli/access/local.ts';
import { cellsOf } from '../../../../cli/output/cells.ts';
import { seed } from '../../../../src/services/seed/index.ts';
import { small } from '../../../support/database/seeded.ts';
import { startTestService, type TestService } from '../../../support/http/service.ts';
import { openDashboard } from '../../../support/terminal/dashboard.tsx';
import { enliven, pictures, sizes } from '../../../support/terminal/pictures.ts';

const page = new URL('../../../../docs/dashboard.md', import.meta.url);
const marker = '<!-- Below are the pictures, made by `npm run pictures`. -->';

const captionOf = (title: string, [columns, rows]: readonly [number, number]) =>
  `${title}, ${columns}×${rows}`;
const framed = (caption: string, frame: string) => `${caption}:\n\n\`\`\`text\n${frame}\n\`\`\`\n`;

/** What of a frame does not depend on its data: the tabs, the headings of its table and the hints. */
function skeleton(frame: string): string[] {
  const lines = frame.split('\n').map((line) => line.trimEnd());
  const headings = lines.filter((line) => /^ {4,}[A-Z][A-Z -]*( {2,}[A-Z][A-Z ▾▴-]*)+/.test(line));
  const columns = headings.map((line) =>
    line
      .replace(/ {2}──.*$/, '')
      .trim()
      .split(/ {2,}/)
      .join(' '),
  );
  return [lines[0] ?? '', ...columns, lines.at(-1) ?? ''];
}

/** With BACKOFFICE_PICTURES=write the page is written; otherwise it is held against what is drawn now. */
describe('the pictures of the documentation', () => {
  let service: TestService;
  const drawn = new Map<string, string>();

  beforeAll(async () => {
    service = await startTestService();
    const until = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    await seed(service.databaseUrl, { ...small, until, issues: 500, conversations: 60 });
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    await service.signIn('admin', 'linus@example.com');
    await service.signIn('user', 'barbara@example.com');
    await enliven(client);
    for (const { title, take } of pictures) {
      for (const [columns, rows] of sizes) {
        const dashboard = openDashboard(localAccess(service.services, 'tui'), { columns, rows });
        dashboard.app.setLive(true);
        await take(dashboard);
        await dashboard.shows('● live');
        await dashboard.hides('Loading…');
        drawn.set(
          captionOf(title, [columns, rows]),
          dashboard
            .frame()
            .split('\n')
            .map((line) => line.trimEnd())
            .join('\n'),
        );
        dashboard.close();
      }
    }
    if (process.env.BACKOFFICE_PICTURES === 'write') await write(drawn);
  });
  afterAll(() => service.stop());

  test.each(pictures.flatMap(({ title }) => sizes.map((size) => [captionOf(title, size), ...size] as const)))(
    'have %s as it is drawn',
    async (caption, columns, rows) => {
      const text = await readFile(page, 'utf8');
      const [, shown = ''] = text.split(`${caption}:\n\n\`\`\`text\n`);
      const frame = shown.slice(0, shown.indexOf('\n```'));
      expect(frame.split('\n')).toHaveLength(rows - 1);
      for (const line of frame.split('\n')) expect(cellsOf(line)).toBeLessThanOrEqual(columns);
      expect(skeleton(frame)).toEqual(skeleton(drawn.get(caption) ?? ''));
    },
  );
});

async function write(drawn: ReadonlyMap<string, string>): Promise<void> {
  const text = await readFile(page, 'utf8');
  const sections = pictures.map(({ title, text: about }) => {
    const frames = sizes.map((size) =>
      framed(captionOf(title, size), drawn.get(captionOf(title, size)) ?? ''),
    );
    return `### ${title}\n\n${about}\n\n${frames.join('\n')}`;
  });
  await writeFile(page, `${text.slice(0, text.indexOf(marker))}${marker}\n\n${sections.join('\n')}`);
}
