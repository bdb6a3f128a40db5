/** Whether this is `npm run test:slow`. It runs the test files that import this, with all that takes long. */
export const isSlowRun = process.env.BACKOFFICE_TEST_SLOW === '1';
