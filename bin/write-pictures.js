// `npm run pictures`: draws the dashboard on seeded data and writes its screens to docs/dashboard.md.
import { countTests } from './launcher/vitest.js';

const { failed } = await countTests(['test/cli/tui/pictures.test.ts'], {
  BACKOFFICE_PICTURES: 'write',
});
process.exitCode = failed > 0 ? 1 : 0;
