import { relative } from 'node:path'
import type { CreateOptions } from './arguments.ts'
import { makeRepository } from './git.ts'
import { exitCodes, type Host } from './host.ts'
import { installPackages } from './installPackages.ts'
import { detectPackageManager, type PackageManager } from './packageManager.ts'
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
    const exitCode = await installPackages({ folder, manager }, host, terminal)
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

function nextSteps(path: string, { name, run }: PackageManager, isInstalled: boolean): string[] {
  return [
    ...(path === '' ? [] : [`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`]),
    ...(isInstalled ? [] : [`${name} install`]),
    run('dev'),
  ]
}
