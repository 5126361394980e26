import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfigFromFile } from 'vite'

/**
 * Reads the default export of an app's `drill.config.ts` or a similar file.
 * @param name such as `drill`
 * @returns `null` if there is no such file
 */
export async function readConfigFile<Config extends object>(
  root: string,
  name: string,
): Promise<Config | null> {
  const names = ['ts', 'mts', 'js', 'mjs'].map((end) => `${name}.config.${end}`)
  const file = names.map((each) => join(root, each)).find(existsSync)
  if (file === undefined) return null
  const env = { command: 'build', mode: 'production' } as const
  const loaded = await loadConfigFromFile(env, file, root, 'silent')
  // The cast is safe: Vite's function is typed to return a Vite configuration, but accepts any
  // object.
  return (loaded?.config ?? {}) as Config
}
