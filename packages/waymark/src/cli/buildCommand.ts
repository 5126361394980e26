import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createBuilder } from 'vite'
import { findPackage } from '../node/appPackages.ts'
import { installCommand } from '../shared/installCommand.ts'
import type { BuildReporter } from '../vite/build/bundledApp.ts'
import { type AdapterOutcome, servingLine } from '../vite/config/hostAdapter.ts'
import type { ResolvedOptions } from '../vite/config/pluginOptions.ts'
import { explainUnresolved } from '../vite/dev/moduleErrors.ts'
import { writeRouteTypes } from '../vite/routes/routeTypes.ts'
import type { Command } from './arguments.ts'
import { findProject, pluginApiOf } from './project.ts'
import { checkProjectPath } from './projectPath.ts'
import { routesTable } from './routesCommand.ts'
import type { Terminal } from './terminal.ts'

export const build: Command = async ({ options, terminal }) => {
  process.env.NODE_ENV = 'production'
  const project = findProject(options)
  checkProjectPath(project.root, 'build')
  const builder = await createBuilder({ ...project, logLevel: options.verbose ? 'info' : 'warn' })
  const api = pluginApiOf(builder.config, project)
  const appOptions = api.options()
  if (options.types && !(await checkTypes(appOptions, terminal))) return 1
  const reporter = createBuildReporter(terminal)
  let leftOut: readonly string[] = []
  let problems: readonly string[] = []
  let hosting: AdapterOutcome | undefined
  const assetsFrom = options['assets-from']
  if (assetsFrom !== undefined) api.assetsFrom = resolve(assetsFrom)
  api.reporter = {
    ...reporter,
    finish(built, outcome) {
      leftOut = outcome.leftOut
      problems = outcome.problems
      hosting = outcome.hosting
      reporter.finish(built, outcome)
    },
  }
  await builder.buildApp().catch((thrown) => {
    explainUnresolved(thrown.errors ?? [], appOptions.root)
    throw thrown
  })
  if (!hosting) throw new Error('The build ended without writing its manifest.')
  for (const each of leftOut) terminal.fail(each)
  for (const each of problems) terminal.print(each)
  if (!options.types && existsSync(join(appOptions.root, 'tsconfig.json'))) {
    terminal.print(
      'Types were not checked. To check them, run npx tsc or npx waymark build --types.',
    )
  }
  for (const note of hosting.notes ?? []) terminal.print(note)
  terminal.print(servingLine(hosting, terminal.paint.cyan))
  return leftOut.length === 0 ? 0 : 1
}

/**
 * Runs the app's own TypeScript compiler.
 *
 * @returns false if there are type errors
 */
async function checkTypes(options: ResolvedOptions, terminal: Terminal): Promise<boolean> {
  const { root } = options
  if ((await writeRouteTypes(options)) === null) {
    terminal.fail("Types can't be checked without a tsconfig.json.", 'Add one, or remove --types.')
    return false
  }
  const manifest = findPackage('typescript/package.json', root)
  if (manifest === null) {
    terminal.fail("The package typescript isn't installed.", `Run ${installCommand('typescript')}.`)
    return false
  }
  const args = [join(dirname(manifest), 'bin', 'tsc'), '--noEmit', '--project', root]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const [exitCode] = await once(child, 'exit')
  if (exitCode === 0) return true
  terminal.fail(
    'The build stopped because of type errors.',
    'Fix them, or remove --types to build anyway.',
  )
  return false
}

type Step = { readonly text: string; readonly sinceMs: number; ms: number; detail: string }

/** Creates a reporter that prints a line for each step, then the table of routes. */
export function createBuildReporter(
  terminal: Terminal,
  now: () => number = () => performance.now(),
): BuildReporter {
  const startedAtMs = now()
  const steps: Step[] = []
  let running: Step | null = null

  const endStep = () => {
    if (!running) return
    running.ms = now() - running.sinceMs
    steps.push(running)
    terminal.print(`  ${running.text} ${terminal.paint.dim(seconds(running.ms))}`)
    running = null
  }

  return {
    step(text) {
      endStep()
      running = { text, sinceMs: now(), ms: 0, detail: '' }
      terminal.progress(`  ${text}…`)
    },
    progress: (text) => terminal.progress(`  ${running?.text ?? ''}: ${text}`),
    detail(text) {
      if (running) running.detail = text
    },
    output: (text) => terminal.print(text.replace(/\n$/, '')),
    finish({ routes, externals }, { inSuspense, before }) {
      endStep()
      for (const each of inSuspense) terminal.print(each)
      const lines = ['', ...routesTable(routes, before, terminal.paint), '']
      if (externals.length > 0) {
        lines.push(`The server needs these packages installed: ${externals.join(', ')}`)
      }
      lines.push(...longestStep(steps), `Built in ${seconds(now() - startedAtMs)}.`)
      for (const line of lines) terminal.print(line)
    },
  }
}

/** @returns a line about the step that took longer than all others together, if there is one */
function longestStep(steps: readonly Step[]): string[] {
  const totalMs = steps.reduce((sum, { ms }) => sum + ms, 0)
  const longest = steps.find(({ ms }) => ms > totalMs / 2)
  if (!longest) return []
  const { text, ms, detail } = longest
  return [`${text} took ${seconds(ms)} of ${seconds(totalMs)}${detail && `: ${detail}`}.`]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
