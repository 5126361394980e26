import { spawn } from 'node:child_process'
import { win32 } from 'node:path'

/**
 * Runs a program and waits until it ends.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, quiet?: boolean, env?: NodeJS.ProcessEnv }} options with `quiet`, the
 * output is not printed but returned
 * @returns {Promise<{ exitCode: number, output: string, stdout: string }>} exit code 127 if the
 * program doesn't exist, and 1 if a signal ended it. `output` includes the errors and warnings.
 */
export function run(command, args, options) {
  const { promise, resolve } = deferred()
  /** @type {Buffer[]} */
  const chunks = []
  /** @type {Buffer[]} */
  const stdoutChunks = []
  const { program, scripts } = programOf(command, process)
  const child = spawn(program, [...scripts, ...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  })
  child.stdout?.on('data', (chunk) => {
    chunks.push(chunk)
    stdoutChunks.push(chunk)
  })
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  child.on('error', () =>
    resolve({ exitCode: 127, output: `${command} could not be started.`, stdout: '' }),
  )
  child.on('close', (code) =>
    resolve({ exitCode: code ?? 1, output: textOf(chunks), stdout: textOf(stdoutChunks) }),
  )
  return promise
}

/** @param {readonly Buffer[]} chunks */
function textOf(chunks) {
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Returns the program to spawn for a command. On Windows, npm and npx are `.cmd` files, which Node
 * can't spawn without a shell. Instead of these files, Node runs the script next to them.
 * @param {string} command
 * @param {{ platform: string, execPath: string }} system the values of `process`
 * @returns {{ program: string, scripts: readonly string[] }} `scripts` come before the arguments
 */
export function programOf(command, { platform, execPath }) {
  if (platform !== 'win32' || !['npm', 'npx'].includes(command)) {
    return { program: command, scripts: [] }
  }
  const script = win32.join(win32.dirname(execPath), 'node_modules/npm/bin', `${command}-cli.js`)
  return { program: execPath, scripts: [script] }
}

/**
 * Runs a program without printing its output, and returns the output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @throws Error with the output if the program fails
 */
export async function must(command, args, cwd, env) {
  const { exitCode, output } = await run(command, args, {
    cwd,
    quiet: true,
    ...(env ? { env } : {}),
  })
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')}, in ${cwd}:\n${output}`)
  return output
}

/**
 * Prints a line that reports progress.
 * @param {string} text
 */
export function say(text) {
  process.stdout.write(`${text}\n`)
}

// Written by hand, because Promise.withResolvers needs Node 22.
function deferred() {
  /** @type {(value: { exitCode: number, output: string, stdout: string }) => void} */
  let resolve = () => {}
  const promise = /** @type {Promise<{ exitCode: number, output: string, stdout: string }>} */ (
    new Promise((settle) => {
      resolve = settle
    })
  )
  return { promise, resolve }
}
