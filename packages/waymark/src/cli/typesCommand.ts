import { resolveConfig } from 'vite'
import { writeRouteTypes } from '../vite/routes/typesPlugin.ts'
import type { Command } from './arguments.ts'
import { findProject, pluginApiOf } from './project.ts'

/** Writes the declarations of the app's routes. */
export const types: Command = async ({ options, terminal }) => {
  const project = findProject(options)
  const config = await resolveConfig({ ...project.config, logLevel: 'warn' }, 'serve')
  const file = await writeRouteTypes(pluginApiOf(config, project).options())
  terminal.print(
    file === null ? 'There is no tsconfig.json; no types were written.' : `Wrote ${file}`,
  )
  return 0
}
