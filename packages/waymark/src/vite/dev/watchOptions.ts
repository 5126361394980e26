import { normalizePath, type ServerOptions } from 'vite'

type WatchOptions = Exclude<ServerOptions['watch'], undefined>

/**
 * Keeps the dev server from taking for a change of the app what it writes itself: a page that
 * fails would be loaded again for its own entry in the journal, and fail, and so on.
 * @param given by the app's configuration; `null` watches nothing
 */
export function watchOptions(given: WatchOptions | undefined, buildDir: string): WatchOptions {
  if (given === null) return null
  const folder = normalizePath(buildDir)
  const isOwn = (file: string) => `${normalizePath(file)}/`.startsWith(`${folder}/`)
  return { ignored: [isOwn] }
}
