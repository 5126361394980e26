import type { ReactNode } from 'react'
import { pageElement, runInRequest } from 'waymark/plugin/node'
import { htmlText } from './testHtml.ts'

/** The request that components are rendered for. */
export type RenderOptions = {
  /** What `cookies()` gives: `{ session: '…' }` */
  readonly cookies?: Readonly<Record<string, string>>
  /** What `headers()` gives. */
  readonly headers?: Readonly<Record<string, string>>
  /** Pathname and query, as `usePathname` and `useSearchParams` give them; default `/`. */
  readonly path?: string
  /** What `useParams` gives. */
  readonly params?: Readonly<Record<string, string | readonly string[]>>
}

/** What components have become. */
export type Rendered = {
  /** Complete: nothing is behind its Suspense fallback. */
  readonly html: string
  /** What a person reads, with one space between words. */
  readonly text: string
}

/**
 * Renders components to HTML without an app: async server components, which may read the request,
 * and client components as the server renders them.
 * @throws what a component throws, inside of Suspense, too; signals such as that of `notFound()`
 */
export async function render(node: ReactNode, options: RenderOptions = {}): Promise<Rendered> {
  const { cookies = {}, headers = {}, path = '/', params = {} } = options
  const { pathname, search } = new URL(path, 'http://localhost')
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  const requestHeaders = new Headers(headers)
  if (pairs.length > 0) requestHeaders.set('cookie', pairs.join('; '))
  const element = pageElement({ pathname, search, params }, node)
  const html = await runInRequest({ path, headers: requestHeaders }, () => renderToHtml(element))
  return { html, text: htmlText(html) }
}

async function renderToHtml(element: ReactNode): Promise<string> {
  // Whoever never renders in a test pays nothing for it.
  const { prerender } = await import('react-dom/static')
  const thrown: unknown[] = []
  const { prelude } = await prerender(element, {
    onError(error) {
      thrown.push(error)
    },
  })
  if (thrown.length > 0) throw thrown[0]
  return await new Response(prelude).text()
}
