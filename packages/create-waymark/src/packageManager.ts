import { exitCodes, type Host, runProgram } from './host.ts'
import type { Terminal } from './terminal.ts'

/** A package manager that can install the packages of an app. */
export type PackageManager = {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** Arguments for installing packages with little output. */
  readonly installArguments: readonly string[]
  /** Returns the command that runs a script in `package.json`. */
  run(script: string): string
}

const managers: readonly PackageManager[] = [
  {
    name: 'npm',
    installArguments: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    run: (script) => (script === 'start' ? 'npm start' : `npm run ${script}`),
  },
  { name: 'pnpm', installArguments: ['install'], run: (script) => `pnpm ${script}` },
  { name: 'yarn', installArguments: ['install'], run: (script) => `yarn ${script}` },
  { name: 'bun', installArguments: ['install'], run: (script) => `bun run ${script}` },
]

const [npm] = managers as [PackageManager]

/**
 * Detects the package manager that started this program. Default: npm.
 * @param userAgent `npm_config_user_agent`, such as `pnpm/10.2.0 npm/? node/v22.1.0 linux x64`
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const [, name] = /^([a-z]+)\//.exec(userAgent ?? '') ?? []
  return managers.find((manager) => manager.name === name) ?? npm
}

/**
 * Installs an app's packages. If the install fails, the app's files stay, because the user can run
 * the install again.
 * @returns one of `exitCodes`
 */
export async function installPackages(
  { folder, manager }: { readonly folder: string; readonly manager: PackageManager },
  host: Host,
  terminal: Terminal,
): Promise<number> {
  const { name, installArguments } = manager
  // Remove NODE_ENV, because npm skips development dependencies if it is `production`.
  const { NODE_ENV: _, ...env } = host.env
  const startedAtMs = Date.now()
  const done = terminal.progress(`Installing packages with ${name}…`)
  const options = { cwd: folder, env, signal: host.signal }
  const { exitCode, output } = await runProgram(name, installArguments, options)
  done()
  if (exitCode === 0) {
    terminal.print(`Installed packages in ${Math.ceil((Date.now() - startedAtMs) / 1000)} s.`)
    return exitCodes.done
  }
  const again = `The app was created without its packages. Run ${name} install in ${folder}`
  if (host.signal.aborted) {
    terminal.fail('Stopped while installing packages.', again)
    return exitCodes.stopped
  }
  if (output) terminal.print(output)
  const why = exitCode === null ? `${name} could not be started.` : `${name} install failed.`
  terminal.fail(why, again)
  return exitCodes.failed
}
