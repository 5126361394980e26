/** A request that an experiment sends. */
export type LabRequest = {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The response to a request of an experiment. */
export type Shot = {
  readonly status: number
  /** Milliseconds until the last byte. */
  readonly ms: number
  readonly bytes: number
  /** Title of the document; `null` for other responses. */
  readonly title: string | null
  readonly isHidden: boolean
  readonly headers: Headers
  /** Final path after redirects; `null` without a redirect. */
  readonly endedAt: string | null
  readonly text: string
}

/** Sends a request without the browser's cache, and reads the whole response. */
export async function shoot({ url, method = 'GET', headers, body }: LabRequest): Promise<Shot> {
  const startedAt = performance.now()
  const init: RequestInit = {
    method,
    cache: 'no-store',
    headers: { accept: 'text/html', ...headers },
  }
  if (body !== undefined) init.body = body
  const response = await fetch(url, init)
  const text = await response.text()
  const isDocument = response.headers.get('content-type')?.startsWith('text/html') ?? false
  const page = isDocument ? new DOMParser().parseFromString(text, 'text/html') : null
  return {
    status: response.status,
    ms: Math.round(performance.now() - startedAt),
    bytes: new TextEncoder().encode(text).length,
    title: page?.title ?? null,
    isHidden:
      page?.querySelector('meta[name=robots]')?.getAttribute('content')?.includes('noindex') ??
      false,
    headers: response.headers,
    endedAt: response.redirected
      ? new URL(response.url).pathname + new URL(response.url).search
      : null,
    text,
  }
}
