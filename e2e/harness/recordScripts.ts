import type { Page } from 'playwright-core'

/**
 * Records the scripts that a page requests.
 * @returns a function that fetches the code of the scripts requested so far. It sends its own requests,
 * because the browser's responses can't be read once the page reloads or closes.
 */
export function recordScripts(page: Page): () => Promise<string> {
  const urls = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') urls.add(request.url())
  })
  return async () => {
    const texts = [...urls].map(async (url) => {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`${url} has the status ${response.status}.`)
      return response.text()
    })
    return (await Promise.all(texts)).join('\n')
  }
}
