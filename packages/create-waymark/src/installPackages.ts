import { exitCodes, type Host } from './host.ts'
import type { PackageManager } from './packageManager.ts'
import { runProgram } from './runProgram.ts'
import type { Terminal } from './terminal.ts'

/**
 * Installs an app's packages. When that fails the app stays: it is whole but for them, and an
 * install can be tried again.
 * @returns an exit code
 */
export async function installPackages(
  { folder, manager }: { readonly folder: string; readonly manager: PackageManager },
  host: Host,
  terminal: Terminal,
): Promise<number> {
  const { name, installArguments } = manager
  // With `production` the packages for types would be left out.
  const { NODE_ENV: _, ...env } = host.env
  const { signal } = host
  const startedAtMs = Date.now()
  const done = terminal.progress(`Installing packages with ${name}…`)
  const { exitCode, output } = await runProgram(name, installArguments, {
    cwd: folder,
    env,
    signal,
  })
  done()
  if (exitCode === 0) {
    terminal.print(`Installed packages in ${Math.ceil((Date.now() - startedAtMs) / 1000)} s.`)
    return exitCodes.done
  }
  const again = `The app is written. To go on, run ${name} install in ${folder}`
  if (signal.aborted) {
    terminal.fail('Stopped while packages were being installed.', again)
    return exitCodes.stopped
  }
  if (output) terminal.print(output)
  const why = exitCode === null ? `${name} could not be started.` : `${name} install failed.`
  terminal.fail(why, again)
  return exitCodes.failed
}
