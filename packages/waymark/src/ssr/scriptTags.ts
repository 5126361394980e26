import assetsManifest from 'virtual:vite-rsc/assets-manifest'
import assets from 'virtual:waymark/client-assets'
import { type PreloadModuleOptions, preloadModule } from 'react-dom'
import { escapeHtml } from '../shared/html.ts'

// React's types don't know the priority, which it writes all the same.
const options = { as: 'script', fetchPriority: 'low' } as PreloadModuleOptions

// The same text in each document, so that a policy of the app's own can name its hash. It goes, as
// React would take it for the first inline script of the app's own head. The payload's array is
// there before any content: an element with its name for an id would be in its place.
const wake =
  '{self.__waymark??=[];let c=document.currentScript,s=c.previousSibling.src;c.remove();' +
  'setTimeout(()=>import(s).catch(()=>{}),1e3)}'

/**
 * The tag of the entry. It stands at the start of the head: a document that is cut anywhere behind
 * it still has somebody to notice. Safari puts asynchronous scripts off until it paints, which a
 * document that falls silent early may never have it do: an import is not put off.
 * @param idPrefix of the ids that React writes, for the browser
 */
export function entryTag(nonce: string | undefined, idPrefix?: string): string {
  const src = assetsManifest.clientEntryUrl
  const own = attribute('nonce', nonce)
  const id = attribute('id', idPrefix)
  const entry = attribute('src', src) + attribute('integrity', assets.integrity[src])
  return `<script type="module" async${entry}${own}${id}></script><script${own}>${wake}</script>`
}

/** The tags that let an interactive page load what reads its HTML beside its other scripts. */
export function readerTags(): string {
  return assets.reader
    .map((url) => {
      const source = attribute('href', url) + attribute('integrity', assets.integrity[url])
      return `<link rel="modulepreload" fetchpriority="low"${source}>`
    })
    .join('')
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`
}

/**
 * Lets the browser load what an interactive page will import, while it reads the document; to be
 * called while React renders it.
 * @param named client files that its payload names
 */
export function preloadScripts(named: Iterable<string>): void {
  const { clientEntryDeps, clientReferenceDeps } = assetsManifest
  const urls = new Set(assets.app)
  for (const file of named) for (const url of clientReferenceDeps[file]?.js ?? []) urls.add(url)
  for (const url of clientEntryDeps?.js ?? []) urls.delete(url)
  for (const url of urls) {
    const hash = assets.integrity[url]
    preloadModule(url, hash === undefined ? options : { ...options, integrity: hash })
  }
}
