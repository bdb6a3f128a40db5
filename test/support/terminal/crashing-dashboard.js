// A dashboard that breaks a moment after its first frame, for the test of what that leaves of the terminal.
const built = new URL('../../../dist/cli/tui/', import.meta.url).href;
const { createKeymap } = await import(`${built}keys/keymap.js`);
const { runDashboard } = await import(`${built}run.js`);

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
  console.error(`ended: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
