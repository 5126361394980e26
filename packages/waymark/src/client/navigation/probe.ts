/**
 * Asks, before the document is left for a URL, whether there is a document of this site to go to:
 * a person who stands on a gateway's error page has lost the app.
 * @returns false for a gateway's error, a portal's page, or no answer at all
 */
export async function isReachable(url: URL, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
      cache: 'no-store',
      signal,
    })
    // Where a redirect leads is for the browser to find out.
    if (response.type === 'opaqueredirect') return true
    const type = response.headers.get('content-type') ?? ''
    // No document of ours either, but one that this URL is meant to give: a download, an image.
    if (!type.startsWith('text/html')) return response.ok
    return (await response.text()).includes('data-waymark-theme')
  } catch {
    return false
  }
}
