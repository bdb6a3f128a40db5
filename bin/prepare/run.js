import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.js';

/**
 * Runs a program without input, by default in the checkout. With `quiet` its output is returned instead of shown.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, cwd?: string, env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<{ code: number, output: string }>} code 1 also if it dies of a signal or cannot start.
 */
export function run(program, args, { quiet = false, cwd = root, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
    });
    let output = '';
    /** @param {Buffer} chunk */
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}

/**
 * Runs a file of the checkout, such as a tool in node_modules, on the Node of package-lock.json. On a platform for which npm
 * has none, runs it on the Node of this process.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(file, args, options) {
  const ownNode = join(root, 'node_modules', '.bin', 'node');
  return run(existsSync(ownNode) ? ownNode : process.execPath, [join(root, file), ...args], options);
}
