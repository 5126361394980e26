/** Site files that a document, script or stylesheet refers to, as path and query. */
export type NamedFiles = {
  /** Files without which the page doesn't work. */
  readonly needed: readonly string[]
  /** Code that loads later, fonts and images, which are cached as far as there is room. */
  readonly wanted: readonly string[]
}

/**
 * Finds the files to which a document, a script or a stylesheet refers.
 * @param from full URL of the document, script or stylesheet
 * @param assets prefix of the paths of the build's files
 */
export function namedFiles(text: string, type: string, from: string, assets: string): NamedFiles {
  const find = (pattern: RegExp) => matchingUrls(text, pattern, from)
  const ofBuild = (path: string) => path.startsWith(assets)
  if (type.includes('css')) return { needed: [], wanted: find(/url\(["']?([^"')]+)/g) }
  if (type.includes('javascript')) {
    return {
      needed: find(/(?:from|import)\s*["'`]([./][^"'`\s]+)["'`]/g).filter(ofBuild),
      // The pattern also matches needed files, which does no harm, because they are cached first.
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
