import type { Payload } from '../shared/payload.ts'
import { loadPage } from './navigation/loadPage.ts'

/** Fetches all of the page that the browser's address names. */
export async function loadShownPage({ href, pathname }: Location): Promise<Payload> {
  const { signal } = new AbortController()
  const load = {
    url: new URL(href),
    held: [],
    from: pathname,
    signal,
    build: null,
    onProgress() {},
  }
  return (await loadPage(load)).payload
}
