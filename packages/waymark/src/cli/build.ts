import { createBuilder } from 'vite'
import { createBuildReporter } from './buildReporter.ts'
import { findProject, pluginApiOf } from './project.ts'
import type { Command } from './run.ts'

/** Builds the app for production. */
export const build: Command = async ({ options, terminal }) => {
  process.env.NODE_ENV = 'production'
  const project = findProject(options)
  const builder = await createBuilder({
    ...project.config,
    logLevel: options.verbose ? 'info' : 'warn',
  })
  const api = pluginApiOf(builder.config, project)
  api.reporter = createBuildReporter(terminal)
  await builder.buildApp()
  return 0
}
