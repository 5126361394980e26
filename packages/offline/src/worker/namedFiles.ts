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
  const find = (pattern: RegExp) => matchingUrls(text, pattern, from)
  const ofBuild = (path: string) => path.startsWith(assets)
  if (type.includes('css')) return { needed: [], wanted: find(/url\(["']?([^"')]+)/g) }
  if (type.includes('javascript')) {
    return {
      needed: find(/(?:from|import)\s*["'`]([./][^"'`\s]+)["'`]/g).filter(ofBuild),
      // Those above once more, which are there by then.
      wanted: find(/["'`](\.{0,2}\/[^"'`\s]+\.\w+)["'`]/g).filter(ofBuild),
    }
  }
  const imageUrl =
    /<(?:img|link rel="[^"]*(?:icon|manifest|preload)")[^>]*?\s(?:src|href)="([^"]+)"/g
  return {
    needed: find(/(?:src|href)="([^"]+\.(?:js|css))"/g).filter(ofBuild),
    wanted: find(imageUrl),
  }
}

function matchingUrls(text: string, pattern: RegExp, from: string): string[] {
  const { origin } = new URL(from)
  return [...text.matchAll(pattern)].flatMap(([, url = '']) => {
    const plain = url.replaceAll('&amp;', '&')
    const parsed = URL.canParse(plain, from) ? new URL(plain, from) : null
    return parsed?.origin === origin ? [parsed.pathname + parsed.search] : []
  })
}
