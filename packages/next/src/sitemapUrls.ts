type SitemapEntries = readonly { readonly url: unknown }[]

/**
 * Completes a sitemap's URLs that lack the site's origin, because the environment variable for the
 * origin isn't set yet. Waymark refuses such URLs, and crawlers skip them.
 * @param file path below the app folder
 */
export function withWholeUrls(sitemap: unknown, file: string): unknown {
  if (typeof sitemap !== 'function') return sitemap
  return async (context: unknown) => {
    const entries = (await sitemap(context)) as SitemapEntries
    if (!Array.isArray(entries)) return entries
    const partial = entries.find((entry) => !URL.canParse(String(entry?.url)))
    if (partial === undefined) return entries
    console.warn(
      `app/${file}: ${JSON.stringify(partial.url)} is not a complete URL, so crawlers skip it. Set the variable that contains the site's URL.`,
    )
    return entries.map((entry) => {
      const url = String(entry?.url)
      return URL.canParse(url) ? entry : { ...entry, url: new URL(url, 'http://localhost').href }
    })
  }
}
