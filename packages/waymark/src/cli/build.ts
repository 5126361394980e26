import { relative, resolve } from 'node:path'
import { createBuilder } from 'vite'
import { readNamesOfEnvFiles } from '../node/envFiles.ts'
import type { BuildManifest } from '../shared/build.ts'
import type { ResolvedOptions } from '../vite/options.ts'
import { writeStaticFolder } from '../vite/static/writeFolder.ts'
import { isTarget, type TargetName, targets } from '../vite/target/targets.ts'
import { createBuildReporter } from './buildReporter.ts'
import type { Command, CommandInput } from './command.ts'
import { findProject, pluginApiOf } from './project.ts'

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
