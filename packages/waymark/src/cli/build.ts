import { createBuilder } from 'vite'
import { waymark } from '../vite/plugin.ts'
import type { CommandOptions } from './run.ts'

/** Builds the app for production. */
export async function build(options: CommandOptions): Promise<number> {
  const builder = await createBuilder({ root: options.root, configFile: false, plugins: [waymark()] })
  await builder.buildApp()
  return 0
}
