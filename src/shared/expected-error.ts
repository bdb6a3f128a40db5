/**
 * What the user, the network, the database or the operating system caused. The message is for the user: what happened, and
 * what to do. Any other subclass of Error is a defect of the program.
 */
export class ExpectedError extends Error {}
