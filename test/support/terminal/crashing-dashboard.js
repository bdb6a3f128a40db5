// @ts-nocheck: it runs on what is built, which need not exist when types are checked.
// A dashboard that breaks a moment after its first frame, for the test of what that leaves of the terminal.
import { createKeymap } from '../../../dist/cli/tui/keys/keymap.js';
import { runDashboard } from '../../../dist/cli/tui/run.js';

const nothing = {
  call: () => new Promise(() => {}),
  async *follow() {},
};
process.stdin.once('data', () => {
  throw new Error('It broke.');
});
try {
  await runDashboard(nothing, { keymap: createKeymap(), readOnly: false, where: 'nowhere' });
} catch (error) {
  console.error(`ended: ${error.message}`);
  process.exitCode = 1;
}
