// A dashboard that crashes on the first key after its first frame. A test checks how it leaves the terminal.
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
  await runDashboard({ access: nothing, target: 'nowhere' }, { keymap: createKeymap(), readOnly: false });
} catch (error) {
  console.error(`ended: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
