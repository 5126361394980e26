import { writeRouteTypes } from '../vite/routes/routeTypes.ts'
import type { Command } from './arguments.ts'
import { readPluginOptions } from './project.ts'

export const types: Command = async ({ options, terminal }) => {
  const file = await writeRouteTypes(await readPluginOptions(options))
  terminal.print(
    file === null ? 'There is no tsconfig.json; no types were written.' : `Wrote ${file}`,
  )
  return 0
}
