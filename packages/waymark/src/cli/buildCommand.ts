import { relative, resolve } from 'node:path'
import { createBuilder } from 'vite'
import { readNamesOfEnvFiles } from '../node/env.ts'
import type { BuildManifest, RouteManifest, RouteRendering } from '../shared/buildManifest.ts'
import type { BuildReporter } from '../vite/build/bundledApp.ts'
import type { ResolvedOptions } from '../vite/config/pluginOptions.ts'
import { writeStaticFolder } from '../vite/target/staticExport.ts'
import type { WriteTarget } from '../vite/target/target.ts'
import { writeWorkerd } from '../vite/target/writeWorkerd.ts'
import type { Command, CommandInput } from './arguments.ts'
import { findProject, pluginApiOf } from './project.ts'
import type { Paint, Terminal } from './terminal.ts'

/** Builds the app for production. */
export const build: Command = async ({ options, terminal }) => {
  if (!options.static && (options.out !== undefined || options['allow-missing'])) {
    terminal.fail('--out and --allow-missing are about static folders.', 'Add --static.')
    return 2
  }
  const { target = 'node' } = options
  if (!isTarget(target)) {
    terminal.fail(`${target} is no target.`, `There are ${Object.keys(targets).join(', ')}.`)
    return 2
  }
  if (options.static && target !== 'node') {
    terminal.fail('A static folder needs no server.', 'Leave --static or --target out.')
    return 2
  }
  process.env.NODE_ENV = 'production'
  const project = findProject(options)
  const builder = await createBuilder({
    ...project.config,
    logLevel: options.verbose ? 'info' : 'warn',
  })
  const api = pluginApiOf(builder.config, project)
  const reporter = createBuildReporter(terminal)
  let facts: BuildManifest | null = null
  const assetsFrom = options['assets-from']
  if (assetsFrom !== undefined) api.assetsFrom = resolve(assetsFrom)
  api.reporter = {
    ...reporter,
    finish(built) {
      facts = built
      reporter.finish(built)
    },
  }
  await builder.buildApp()
  if (!facts) throw new Error('The build ended without its facts.')
  if (options.static) await exportStatic(facts, api.options(), { options, terminal })
  else {
    const command = await writeTarget(target, facts, api.options())
    terminal.print(`Serve it with: ${terminal.paint.cyan(command)}`)
  }
  return 0
}

/** @returns the command that serves the build */
async function writeTarget(
  target: TargetName,
  { mode }: BuildManifest,
  { root, buildDir }: ResolvedOptions,
): Promise<string> {
  const write = targets[target]
  if (write === null) return 'waymark start'
  return write({ buildDir, envNames: readNamesOfEnvFiles(root, mode) })
}

async function exportStatic(
  facts: BuildManifest,
  { root, buildDir }: ResolvedOptions,
  { options, terminal }: CommandInput,
): Promise<void> {
  const out = resolve(root, options.out ?? 'out')
  const allowsMissing = options['allow-missing'] ?? false
  const missing = await writeStaticFolder({ root, buildDir, out, facts, allowsMissing })
  for (const each of missing) terminal.print(`Left out: ${each}`)
  terminal.print(`Static files are in ${terminal.paint.cyan(relative(process.cwd(), out) || out)}`)
}

/** Makes what prints the course of a build: a line for each step, then the routes. */
export function createBuildReporter(
  terminal: Terminal,
  now: () => number = () => performance.now(),
): BuildReporter {
  const startedAtMs = now()
  let running: { text: string; sinceMs: number } | null = null

  const endStep = () => {
    if (!running) return
    const took = seconds(now() - running.sinceMs)
    terminal.print(`  ${running.text} ${terminal.paint.dim(took)}`)
    running = null
  }

  return {
    step(text) {
      endStep()
      running = { text, sinceMs: now() }
      terminal.progress(`  ${text}…`)
    },
    progress: (text) => terminal.progress(`  ${running?.text ?? ''}: ${text}`),
    output: (text) => terminal.print(text.replace(/\n$/, '')),
    finish(facts) {
      endStep()
      terminal.print()
      for (const line of routesTable(facts.routes, terminal.paint)) terminal.print(line)
      terminal.print()
      if (facts.externals.length > 0) {
        terminal.print(`The server needs these packages installed: ${facts.externals.join(', ')}`)
      }
      terminal.print(`Built in ${seconds(now() - startedAtMs)}.`)
    },
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

const marks = { static: '○', partial: '◐', dynamic: 'ƒ' } as const

// Beyond it, a table is no longer read.
const maxRows = 200

/**
 * Writes the routes of a build as a table: pattern, how it is rendered, JavaScript in a browser.
 * @returns its lines
 */
export function routesTable(routes: readonly RouteManifest[], paint: Paint): string[] {
  const rows = routes.slice(0, maxRows)
  const patternWidth = widest(['Route', ...rows.map(({ pattern }) => pattern)])
  const renderings = rows.map((route) => renderingText(route))
  const renderingWidth = widest(['Rendering', ...renderings])
  const head = `    ${'Route'.padEnd(patternWidth)}  ${'Rendering'.padEnd(renderingWidth)}  JavaScript (gzip)`
  const lines = rows.map(({ pattern, rendering, clientBytes }, index) => {
    const mark = marks[rendering.kind]
    const text = (renderings[index] ?? '').padEnd(renderingWidth)
    const bytes = clientBytes === null ? '' : formatBytes(clientBytes)
    return `  ${mark} ${pattern.padEnd(patternWidth)}  ${text}  ${bytes}`.trimEnd()
  })
  return [paint.dim(head), ...lines, ...remainder(routes.length), '', ...legend(rows, paint)]
}

/** Writes a size for people: `812 B`, `83.1 kB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
}

function renderingText({ kind, rendering, pattern }: RouteManifest): string {
  const prefix = kind === 'route' ? 'route handler, ' : ''
  return prefix + describe(rendering, pattern)
}

function describe(rendering: RouteRendering, pattern: string): string {
  if (rendering.kind === 'dynamic') return `dynamic: ${rendering.reason}`
  const { kind, count, revalidateSeconds } = rendering
  const pages = pattern.includes('[') ? `, ${count} ${count === 1 ? 'page' : 'pages'}` : ''
  const again = revalidateSeconds === null ? '' : `, again after ${revalidateSeconds} s`
  return `${kind}${pages}${again}`
}

function remainder(count: number): string[] {
  return count > maxRows ? [`    and ${count - maxRows} more`] : []
}

function legend(rows: readonly RouteManifest[], paint: Paint): string[] {
  const kinds = new Set(rows.map(({ rendering }) => rendering.kind))
  const lines = []
  if (kinds.has('static')) lines.push(paint.dim(`  ${marks.static} static: rendered at build`))
  if (kinds.has('partial')) {
    lines.push(
      paint.dim(`  ${marks.partial} partial: a shell from the build, the rest for each request`),
    )
  }
  if (kinds.has('dynamic')) lines.push(paint.dim(`  ${marks.dynamic} dynamic: for each request`))
  return lines
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length))
}

/** The runtimes that a build can be for; Node needs nothing beside the build. */
export const targets = { node: null, workerd: writeWorkerd } as const satisfies Readonly<
  Record<string, WriteTarget | null>
>

/** Name of a runtime. */
export type TargetName = keyof typeof targets

/** Tells whether a text names a runtime. */
export function isTarget(name: string): name is TargetName {
  return Object.hasOwn(targets, name)
}
