import { resolve } from 'node:path'
import { frameworkError } from '../shared/errors.ts'
import { writeRouteTypes } from '../vite/routes/routeTypes.ts'
import { listAppRoutes } from '../vite/routes/scanRoutes.ts'
import type { Command } from './arguments.ts'
import { readPluginOptions } from './project.ts'
import { alignColumns } from './terminal.ts'

export const routes: Command = async ({ options, terminal }) => {
  const { appDir } = await readPluginOptions(options)
  const { listed, warnings } = await listAppRoutes(appDir)
  for (const { message } of warnings) terminal.fail(message)
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

export const types: Command = async ({ options, terminal }) => {
  const file = await writeRouteTypes(await readPluginOptions(options))
  terminal.print(
    file === null ? 'There is no tsconfig.json; no types were written.' : `Wrote ${file}`,
  )
  return 0
}
