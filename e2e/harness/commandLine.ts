import { run } from '../../scripts/workspace/run.mjs'
import { appEnv } from './appEnv.ts'
import { waymarkCommand } from './appFolder.ts'

export type Ended = { readonly exitCode: number; readonly output: string; readonly stdout: string }

/**
 * Runs the `waymark` command of the packages under test until it ends.
 * @param cwd the app's root
 */
export function runWaymark(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return run(process.execPath, [waymarkCommand(), ...args], { cwd, quiet: true, env: appEnv(env) })
}
