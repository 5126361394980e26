import { relative } from 'node:path'
import type { CreateOptions } from './arguments.ts'
import { exitCodes, type Host, runProgram } from './host.ts'
import { detectPackageManager, installPackages, type PackageManager } from './packageManager.ts'
import type { Target } from './target.ts'
import { startPageOf, type TemplateName, templateFolder } from './templates.ts'
import type { Terminal } from './terminal.ts'
import { type ProjectFiles, writeProject } from './writeProject.ts'

/** An app to create, after the user has answered all questions. */
export type AppRequest = {
  readonly options: CreateOptions
  readonly target: Extract<Target, { kind: 'usable' }>
  readonly template: TemplateName
}

/**
 * Creates an app: writes its files, creates a Git repository and installs its packages.
 * @returns one of `exitCodes`
 */
export async function createApp(
  { options, target, template }: AppRequest,
  host: Host,
  terminal: Terminal,
): Promise<number> {
  const { folder, name } = target
  const manager = detectPackageManager(host.env.npm_config_user_agent)
  const steps = nextSteps(relative(host.cwd, folder), manager, options.install)

  terminal.print(`Creating ${name} from the template ${template}.`)
  const undo = write(
    { from: templateFolder(template), folder, name, waymark: options.waymark },
    terminal,
  )
  if (undo === null) return exitCodes.failed
  // Wait for the next task, to notice if the user has pressed Ctrl+C while the files were being
  // written.
  await new Promise(setImmediate)
  if (host.signal.aborted) {
    undo()
    terminal.fail('Stopped. All new files were removed.')
    return exitCodes.stopped
  }
  if (options.git && !(await initRepository(folder, host))) {
    terminal.print('git init failed, so the app has no Git repository.')
  }
  if (options.install) {
    const exitCode = await installPackages({ folder, manager }, host, terminal)
    if (exitCode !== exitCodes.done) return exitCode
  }
  terminal.print(`\n${steps.map((step) => `  ${terminal.bold(step)}`).join('\n')}\n`)
  terminal.print(`Start with ${startPageOf(template)}.`)
  return exitCodes.done
}

function write(project: ProjectFiles, terminal: Terminal): (() => void) | null {
  try {
    return writeProject(project)
  } catch (error) {
    // Print the system's own message, which explains a full disk or missing permissions best.
    terminal.fail(
      error instanceof Error ? error.message : String(error),
      'All new files were removed.',
    )
    return null
  }
}

/**
 * Creates a Git repository without a commit, unless the folder is already in one or Git isn't installed.
 * @returns `false` if Git failed
 */
async function initRepository(folder: string, { env, signal }: Host): Promise<boolean> {
  const git = (...args: string[]) => runProgram('git', args, { cwd: folder, env, signal })
  const around = await git('rev-parse', '--is-inside-work-tree')
  if (around.exitCode === null || around.exitCode === 0) return true
  return (await git('init', '--quiet')).exitCode === 0
}

function nextSteps(path: string, { name, run }: PackageManager, isInstalled: boolean): string[] {
  return [
    ...(path === '' ? [] : [`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`]),
    ...(isInstalled ? [] : [`${name} install`]),
    run('dev'),
  ]
}
