import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const configNames = 'js mjs ts cjs mts cts'.split(' ').map((end) => `vite.config.${end}`)

/** Finds the Vite configuration of an app. The file is optional. */
export function findConfigFile(root: string): string | undefined {
  return configNames.map((name) => join(root, name)).find(existsSync)
}
