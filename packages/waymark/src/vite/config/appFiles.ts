import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ResolvedOptions } from './pluginOptions.ts'

/** Extensions of the optional files next to the app folder, such as proxy.ts. */
export const appFileExtensions = ['.tsx', '.ts', '.jsx', '.js', '.mts', '.mjs']

/** Returns the absolute path of an app's proxy.ts; `null` if the app has none. */
export function findProxy({ appDir, proxy }: Pick<ResolvedOptions, 'appDir' | 'proxy'>) {
  return proxy ?? findAppFile('proxy', path.dirname(appDir))
}

/**
 * Finds an optional file of an app.
 * @param folder absolute path of the folder that contains the app folder
 * @returns absolute path; `null` if there is no such file
 */
export function findAppFile(name: string, folder: string): string | null {
  const files = appFileExtensions.map((extension) => path.join(folder, name + extension))
  return files.find((file) => existsSync(file)) ?? null
}
