type SitemapEntries = readonly { readonly url: unknown }[]

/**
 * Completes the addresses of a sitemap that has none of its site, as on the first day, without the
 * variable that names it: Waymark refuses them, as crawlers skip them.
 * @param file below the app folder
 */
export function withWholeUrls(sitemap: unknown, file: string): unknown {
  if (typeof sitemap !== 'function') return sitemap
  return async (context: unknown) => {
    const entries = (await sitemap(context)) as SitemapEntries
    if (!Array.isArray(entries)) return entries
    const partial = entries.find((entry) => !URL.canParse(String(entry?.url)))
    if (partial === undefined) return entries
    console.warn(
      `app/${file}: ${JSON.stringify(partial.url)} is no whole address, and crawlers skip it. Is the variable set that names the site?`,
    )
    return entries.map((entry) => {
      const url = String(entry?.url)
      return URL.canParse(url) ? entry : { ...entry, url: new URL(url, 'http://localhost').href }
    })
  }
}
