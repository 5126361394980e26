import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { normalizePath } from 'vite'

const readExtensions: ReadonlySet<string> = new Set(['tsx', 'ts', 'jsx', 'js', 'mdx'])

const routeNames =
  'page|layout|template|default|loading|error|global-error|not-found|global-not-found|forbidden|unauthorized|route|sitemap|robots|manifest|(?:icon|apple-icon|opengraph-image|twitter-image)\\d?'

const rootNames = 'middleware|proxy|instrumentation|instrumentation-client|mdx-components'

/**
 * Returns a note about files that only the app's `pageExtensions` make a route.
 * @param root of the project, absolute
 * @returns `null` if Waymark reads all route files
 */
export function pageExtensionsNote(root: string, pageExtensions: unknown): string | null {
  if (!Array.isArray(pageExtensions)) return null
  const unread = pageExtensions.filter((each) => !readExtensions.has(each))
  if (unread.length === 0) return null
  const endings = unread.map((each) => String(each).replaceAll('.', '\\.')).join('|')
  const isUnread = (names: string, file: string) =>
    new RegExp(`(?:^|/)(?:${names})\\.(?:${endings})$`).test(file)
  const outside = ['', 'src'].flatMap((folder) => filesIn(root, folder, false))
  const inside = ['app', 'src/app'].flatMap((folder) => filesIn(root, folder, true))
  const files = [
    ...outside.filter((file) => isUnread(rootNames, file)),
    ...inside.filter((file) => isUnread(routeNames, file)),
  ].sort()
  if (files.length === 0) return null
  const named = files.length > 3 ? `${files[0]} and ${files.length - 1} more` : files.join(', ')
  return `pageExtensions: route files end in .tsx, .ts, .jsx, .js or .mdx. Rename ${named}.`
}

/** @returns paths relative to the root, with slashes */
function filesIn(root: string, folder: string, recursive: boolean): string[] {
  const absolute = path.join(root, folder)
  if (!existsSync(absolute)) return []
  return readdirSync(absolute, { recursive, encoding: 'utf8' }).map((file) =>
    normalizePath(path.join(folder, file)),
  )
}
