import { resolve } from 'node:path'
import { frameworkError } from '../shared/errors.ts'
import { listAppRoutes } from '../vite/routes/scanRoutes.ts'
import type { Command } from './arguments.ts'
import { readPluginOptions } from './project.ts'
import { alignColumns } from './terminal.ts'

export const routes: Command = async ({ options, terminal }) => {
  const { appDir } = await readPluginOptions(options)
  const listed = await listAppRoutes(appDir)
  if (options.json) {
    terminal.printJson(listed)
    return 0
  }
  if (listed.length === 0) throw frameworkError('NO_ROUTES', { folder: resolve(appDir) })
  const rows = listed.map(({ pattern, kind, file }) => {
    const text = kind === 'route' ? 'handler' : 'page'
    return [pattern, text, terminal.paint.dim(file)]
  })
  for (const cells of alignColumns(rows)) terminal.print(cells.join('  '))
  return 0
}
