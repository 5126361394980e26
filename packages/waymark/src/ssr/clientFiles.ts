import clientReferences from 'virtual:vite-rsc/client-references'
import assets from 'virtual:waymark/client-assets'
import { setRequireModule } from '@vitejs/plugin-rsc/core/ssr'
import { type PreloadModuleOptions, preinit, preloadModule } from 'react-dom'
import { escapeHtml } from '../shared/html.ts'
import { withDeadline } from '../shared/promises.ts'
import { clientUrls } from './clientUrls.ts'

type ClientFile = Readonly<Record<string, unknown>>

const files = new Map<string, Promise<ClientFile>>()

// Call `setRequireModule` before plugin-rsc does, because only the first call counts, and
// plugin-rsc's loader preloads every script without integrity. The dev server loads client files by
// URL, so it needs plugin-rsc's loader.
if (import.meta.env.WAYMARK_IS_BUILD) setRequireModule({ load: loadClientFile })

function loadClientFile(name: string): Promise<ClientFile> {
  const loading = files.get(name) ?? importClientFile(name)
  files.set(name, loading)
  return loading
}

async function importClientFile(name: string): Promise<ClientFile> {
  const load = clientReferences[name]
  if (!load) throw new Error(`The build has no client component ${name}.`)
  linkStyles(name)
  const file = (await load()) as ClientFile
  // Each render that uses the file must link its styles, not only the first.
  return new Proxy(file, {
    get(target, exported, receiver) {
      if (exported in target) linkStyles(name)
      return Reflect.get(target, exported, receiver)
    },
  })
}

function linkStyles(name: string): void {
  for (const href of clientUrls().clientReferenceDeps[name]?.css ?? []) {
    const hash = assets.integrity[href]
    preinit(href, {
      as: 'style',
      crossOrigin: 'anonymous',
      precedence: 'vite-rsc/client-reference',
      ...(hash !== undefined && { integrity: hash }),
    })
  }
}

const loaded = new Set<string>()

const longestLoadMs = 1000

/**
 * Loads client files before a render. If they were loaded while rendering, their stylesheets would
 * come ahead of the layout's in the document.
 * @returns `null` if all files are already loaded
 */
export function loadClientFiles(names: ReadonlySet<string>): Promise<void> | null {
  if (!import.meta.env.WAYMARK_IS_BUILD) return null
  const missing: string[] = []
  for (const name of names) if (!loaded.has(name)) missing.push(name)
  return missing.length === 0 ? null : loadMissing(missing)
}

async function loadMissing(names: readonly string[]): Promise<void> {
  // A file's error appears where its component is rendered, so ignore it here.
  await withDeadline(Promise.allSettled(names.map(loadClientFile)), longestLoadMs)
  for (const name of names) loaded.add(name)
}

// React supports `fetchPriority` here, but its types lack it.
const lowPriority = { as: 'script', fetchPriority: 'low' } as PreloadModuleOptions

// This script is the same in each document, so that the app's CSP can allow it by hash. It removes
// itself, because React would mistake it for the first inline script in the app's head. It creates
// the array for the payload before any content, because an element with the id `__waymark` would
// otherwise become `window.__waymark`.
const wake =
  '{self.__waymark??=[];let c=document.currentScript,s=c.previousSibling.src;c.remove();' +
  'setTimeout(()=>import(s).catch(()=>{}),1e3)}'

/**
 * Returns the entry script's tag. It comes first in the head, so that the script can repair a
 * document that is cut off anywhere. Safari delays asynchronous scripts until it has painted, but
 * not imports. Therefore an inline script also imports the entry after a second.
 * @param idPrefix prefix of the ids that React writes
 */
export function entryTag(nonce: string | undefined, idPrefix?: string): string {
  const src = clientUrls().clientEntryUrl
  const nonceAttribute = attribute('nonce', nonce)
  const id = attribute('id', idPrefix)
  const entry = attribute('src', src) + attribute('integrity', assets.integrity[src])
  return `<script type="module" async${entry}${nonceAttribute}${id}></script><script${nonceAttribute}>${wake}</script>`
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`
}

/**
 * Preloads the scripts that an interactive page will import. Call it while React renders the document.
 */
export function preloadScripts(named: Iterable<string>): void {
  const { app, clientEntryDeps, clientReferenceDeps } = clientUrls()
  const urls = new Set(app)
  for (const file of named) for (const url of clientReferenceDeps[file]?.js ?? []) urls.add(url)
  for (const url of clientEntryDeps?.js ?? []) urls.delete(url)
  for (const url of urls) {
    const hash = assets.integrity[url]
    preloadModule(url, hash === undefined ? lowPriority : { ...lowPriority, integrity: hash })
  }
}
