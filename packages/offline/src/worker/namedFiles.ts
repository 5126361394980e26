/** Files of a site that a text names, as path and query. */
export type NamedFiles = {
  /** The page does not work without them. */
  readonly needed: readonly string[]
  /** Code for later, fonts, pictures: as much of it as there is room for. */
  readonly wanted: readonly string[]
}

/**
 * Finds the files that a document, a script or a stylesheet names.
 * @param from the URL of the text, with its origin
 * @param assets path that the files of the build begin with
 */
export function namedFiles(text: string, type: string, from: string, assets: string): NamedFiles {
  const resolve = (urls: Iterable<string>) => resolveAll(urls, from)
  const ofBuild = (paths: readonly string[]) => paths.filter((path) => path.startsWith(assets))
  if (type.includes('css')) {
    return { needed: [], wanted: resolve(found(text, /url\(["']?([^"')]+)/g)) }
  }
  if (type.includes('javascript')) {
    const needed = ofBuild(resolve(found(text, /(?:from|import)\s*["'`]([./][^"'`\s]+)["'`]/g)))
    const all = ofBuild(resolve(found(text, /["'`](\.{0,2}\/[^"'`\s]+\.\w+)["'`]/g)))
    return { needed, wanted: all.filter((path) => !needed.includes(path)) }
  }
  const code = /(?:src|href)="([^"]+\.(?:js|css))"/g
  const pictures = /<img\b[^>]*?\ssrc="([^"]+)"/g
  const icons = /<link\b[^>]*?rel="[^"]*(?:icon|manifest|preload)"[^>]*?href="([^"]+)"/g
  return {
    needed: ofBuild(resolve(found(text, code))),
    wanted: [pictures, icons].flatMap((pattern) => resolve(found(text, pattern))),
  }
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
}

function resolveAll(urls: Iterable<string>, from: string): string[] {
  const { origin } = new URL(from)
  const own = [...urls].flatMap((url) => {
    const parsed = URL.canParse(url, from) ? new URL(url, from) : null
    return parsed?.origin === origin ? [parsed.pathname + parsed.search] : []
  })
  return [...new Set(own)]
}
