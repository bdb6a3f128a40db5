export { printable } from '../../src/shared/printable.ts';
