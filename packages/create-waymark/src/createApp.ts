import { relative } from 'node:path'
import type { CreateOptions } from './arguments.ts'
import { makeRepository } from './git.ts'
import { exitCodes, type Host } from './host.ts'
import { detectPackageManager, type PackageManager } from './packageManager.ts'
import { runProgram } from './runProgram.ts'
import type { Target } from './target.ts'
import { type TemplateName, templateFolder } from './templates.ts'
import type { Terminal } from './terminal.ts'
import { type ProjectFiles, writeProject } from './writeProject.ts'

/** An app to make: all questions are answered. */
export type AppRequest = {
  readonly options: CreateOptions
  readonly target: Extract<Target, { kind: 'usable' }>
  readonly template: TemplateName
}

/**
 * Makes an app: its files, a Git repository, its packages.
 * @returns an exit code
 */
export async function createApp(
  { options, target, template }: AppRequest,
  host: Host,
  terminal: Terminal,
): Promise<number> {
  const { folder, name } = target
  const manager = detectPackageManager(host.env.npm_config_user_agent)
  const steps = nextSteps(relative(host.cwd, folder), manager, options.install)

  terminal.print(`Making ${name} from the template ${template}.`)
  const undo = write(
    { from: templateFolder(template), folder, name, waymark: options.waymark },
    terminal,
  )
  if (undo === null) return exitCodes.failed
  // The signal of a key pressed meanwhile is heard only now.
  await new Promise(setImmediate)
  if (host.signal.aborted) {
    undo()
    terminal.fail('Stopped; nothing is left behind.')
    return exitCodes.stopped
  }
  if (options.git && !(await makeRepository(folder, host))) {
    terminal.print('git init failed; the app has no repository.')
  }
  if (options.install) {
    const exitCode = await install(folder, manager, host, terminal)
    if (exitCode !== exitCodes.done) return exitCode
  }
  terminal.print(`\n${steps.map((step) => `  ${terminal.bold(step)}`).join('\n')}\n`)
  terminal.print('Begin at app/page.tsx.')
  return exitCodes.done
}

function write(project: ProjectFiles, terminal: Terminal): (() => void) | null {
  try {
    return writeProject(project)
  } catch (error) {
    // No space, no right to write: the file system's own message says it best.
    terminal.fail(error instanceof Error ? error.message : String(error), 'Nothing is left behind.')
    return null
  }
}

async function install(
  folder: string,
  { name, installArguments }: PackageManager,
  host: Host,
  terminal: Terminal,
): Promise<number> {
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
  // The app is whole but for its packages, so it stays: an install can be tried again.
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

function nextSteps(path: string, { name, run }: PackageManager, isInstalled: boolean): string[] {
  return [
    ...(path === '' ? [] : [`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`]),
    ...(isInstalled ? [] : [`${name} install`]),
    run('dev'),
  ]
}
