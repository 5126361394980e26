import { resolve } from 'node:path'
import { resolveConfig } from 'vite'
import { frameworkError } from '../shared/errors.ts'
import { listAppRoutes } from '../vite/routes/scanRoutes.ts'
import type { Command } from './arguments.ts'
import { findProject, pluginApiOf } from './project.ts'

/** Lists the routes of the app. */
export const routes: Command = async ({ options, terminal }) => {
  const project = findProject(options)
  const config = await resolveConfig({ ...project.config, logLevel: 'warn' }, 'serve')
  const { appDir } = pluginApiOf(config, project).options()
  const listed = await listAppRoutes(appDir)
  if (options.json) {
    terminal.print(JSON.stringify(listed, null, 2))
    return 0
  }
  if (listed.length === 0) throw frameworkError('NO_ROUTES', { folder: resolve(appDir) })
  const width = Math.max(...listed.map(({ pattern }) => pattern.length))
  for (const { pattern, kind, file } of listed) {
    const text = kind === 'route' ? 'handler' : 'page   '
    terminal.print(`${pattern.padEnd(width)}  ${text}  ${terminal.paint.dim(file)}`)
  }
  return 0
}
