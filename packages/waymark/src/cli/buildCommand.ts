import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { createBuilder } from 'vite'
import { createPackageLoader, findPackage } from '../node/appPackages.ts'
import { readNamesOfEnvFiles } from '../node/env.ts'
import type { BuildManifest } from '../shared/buildManifest.ts'
import type { BuildReporter } from '../vite/build/bundledApp.ts'
import { describeTargetBuild, type RuntimeTarget } from '../vite/build/targetBuild.ts'
import type { ResolvedOptions } from '../vite/config/pluginOptions.ts'
import { explainUnresolved } from '../vite/dev/explainError.ts'
import { writeRouteTypes } from '../vite/routes/routeTypes.ts'
import { writeStaticFolder } from '../vite/target/staticExport.ts'
import type { Command, CommandInput } from './arguments.ts'
import type { GivenOptions } from './commandOptions.ts'
import { findProject, pluginApiOf } from './project.ts'
import { routesTable } from './routesCommand.ts'
import type { Terminal } from './terminal.ts'

/** Packages of runtimes other than Node. */
const targets: Readonly<Record<string, string | null>> = { node: null, workerd: '@waymark/workerd' }

export const build: Command = async (input) => {
  const { options, terminal } = input
  const mistake = findMistake(options)
  if (mistake) {
    terminal.fail(...mistake)
    return 2
  }
  process.env.NODE_ENV = 'production'
  const project = findProject(options)
  const target = await loadTarget(project.root, options.target)
  const builder = await createBuilder({ ...project, logLevel: options.verbose ? 'info' : 'warn' })
  const api = pluginApiOf(builder.config, project)
  const appOptions = api.options()
  if (options.types && !(await checkTypes(appOptions, terminal))) return 1
  const reporter = createBuildReporter(terminal)
  let manifest: BuildManifest | undefined
  let leftOut: readonly string[] = []
  const assetsFrom = options['assets-from']
  if (assetsFrom !== undefined) api.assetsFrom = resolve(assetsFrom)
  api.reporter = {
    ...reporter,
    finish(built, outcome) {
      manifest = built
      leftOut = outcome.leftOut
      reporter.finish(built, outcome)
    },
  }
  await builder.buildApp().catch((thrown) => {
    explainUnresolved(thrown.errors ?? [], appOptions.root)
    throw thrown
  })
  if (!manifest) throw new Error('The build ended without its manifest.')
  for (const each of leftOut) terminal.fail(each)
  if (!options.types && existsSync(join(appOptions.root, 'tsconfig.json'))) {
    terminal.print('Types were not checked: npx tsc does it, and waymark build --types.')
  }
  if (options.static) await exportStatic(manifest, api.options(), input)
  else {
    const built = describeTargetBuild(api.options())
    const command = await target?.write(built, readNamesOfEnvFiles(built.root, manifest.mode))
    terminal.print(`Serve it with: ${terminal.paint.cyan(command ?? 'npx waymark start')}`)
  }
  return leftOut.length === 0 ? 0 : 1
}

/** @throws `PACKAGE_NOT_INSTALLED` */
async function loadTarget(root: string, name = 'node'): Promise<RuntimeTarget | null> {
  const from = targets[name]
  if (!from) return null
  const load = createPackageLoader(root)
  return ((await load(from, `--target ${name}`)) as { readonly target: RuntimeTarget }).target
}

/** Runs the app's own TypeScript compiler. @returns false after type errors */
async function checkTypes(options: ResolvedOptions, terminal: Terminal): Promise<boolean> {
  const { root } = options
  if ((await writeRouteTypes(options)) === null) {
    terminal.fail('There is no tsconfig.json to check types by.', 'Add one, or remove --types.')
    return false
  }
  const manifest = findPackage('typescript/package.json', root)
  if (manifest === null) {
    terminal.fail('The package typescript is not installed.', 'Run npm install typescript.')
    return false
  }
  const args = [join(dirname(manifest), 'bin', 'tsc'), '--noEmit', '--project', root]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const [exitCode] = await once(child, 'exit')
  if (exitCode === 0) return true
  terminal.fail(
    'There are type errors; nothing was built.',
    'Remove --types to build all the same.',
  )
  return false
}

function findMistake(options: GivenOptions): [message: string, hint: string] | null {
  const { target = 'node' } = options
  if (!options.static && (options.out !== undefined || options['allow-missing'])) {
    return ['--out and --allow-missing are for static folders only.', 'Add --static.']
  }
  if (!Object.hasOwn(targets, target)) {
    return [`${target} is not a target.`, `The targets are ${Object.keys(targets).join(', ')}.`]
  }
  return options.static && target !== 'node'
    ? ['A static folder has no runtime.', 'Remove --static or --target.']
    : null
}

async function exportStatic(
  manifest: BuildManifest,
  { root, buildDir }: ResolvedOptions,
  { options, terminal }: CommandInput,
): Promise<void> {
  const out = resolve(root, options.out ?? 'out')
  const allowsMissing = options['allow-missing'] ?? false
  const missing = await writeStaticFolder({ root, buildDir, out, manifest, allowsMissing })
  for (const each of missing) terminal.print(`Left out: ${each}`)
  terminal.print(`Static files are in ${terminal.paint.cyan(relative(process.cwd(), out) || out)}`)
}

type Step = { readonly text: string; readonly sinceMs: number; ms: number; detail: string }

/** Prints a line for each step, then the routes. */
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

/** @returns a line when one step took longer than the others together */
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
