import type { ReactNode } from 'react'
import { pageElement, runInRequest } from 'waymark/plugin/node'
import { htmlText } from './testHtml.ts'

/** The request for which components are rendered. */
export type RenderOptions = {
  /** Cookies that `cookies()` returns: `{ session: '…' }` */
  readonly cookies?: Readonly<Record<string, string>>
  /** Headers that `headers()` returns. */
  readonly headers?: Readonly<Record<string, string>>
  /** Path and query for `usePathname` and `useSearchParams`. Default: `/`. */
  readonly path?: string
  /** Params that `useParams` returns. */
  readonly params?: Readonly<Record<string, string | readonly string[]>>
}

/** Result of `render()`. */
export type Rendered = {
  /** Complete HTML, without Suspense fallbacks. */
  readonly html: string
  /** Visible text, with a single space between words. */
  readonly text: string
}

/**
 * Renders components to HTML without an app. Server components may be async, and may read the
 * request. Client components are rendered as on the server.
 * @throws any error from a component, even inside Suspense, and signals such as `notFound()`
 *
 * @example
 * ```tsx
 * const { text } = await render(<Greeting name="Ada" />)
 * expect(text).toBe('Hello Ada')
 * ```
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
  // Most tests don't render anything, so load this module on demand.
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
