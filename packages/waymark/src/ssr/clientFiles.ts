import assetsManifest from 'virtual:vite-rsc/assets-manifest'
import clientReferences from 'virtual:vite-rsc/client-references'
import assets from 'virtual:waymark/client-assets'
import { setRequireModule } from '@vitejs/plugin-rsc/core/ssr'
import { type PreloadModuleOptions, preinit, preloadModule } from 'react-dom'
import { escapeHtml } from '../shared/html.ts'
import { withDeadline } from '../shared/promises.ts'

type ClientFile = Readonly<Record<string, unknown>>

const files = new Map<string, Promise<ClientFile>>()

// plugin-rsc's later call, which preloads every script without integrity, has no effect. The dev
// server loads client files by their URL.
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
  // Each render that uses the file links its styles.
  return new Proxy(file, {
    get(target, exported, receiver) {
      if (exported in target) linkStyles(name)
      return Reflect.get(target, exported, receiver)
    },
  })
}

function linkStyles(name: string): void {
  for (const href of assetsManifest.clientReferenceDeps[name]?.css ?? []) {
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

/** Loads client files before a render, or their styles would precede the layout's. */
export function loadClientFiles(names: ReadonlySet<string>): Promise<void> | null {
  if (!import.meta.env.WAYMARK_IS_BUILD) return null
  const missing: string[] = []
  for (const name of names) if (!loaded.has(name)) missing.push(name)
  return missing.length === 0 ? null : loadMissing(missing)
}

async function loadMissing(names: readonly string[]): Promise<void> {
  // What can't be loaded is reported where it is rendered.
  await withDeadline(Promise.allSettled(names.map(loadClientFile)), longestLoadMs)
  for (const name of names) loaded.add(name)
}

// React's types don't know the priority, which it writes all the same.
const lowPriority = { as: 'script', fetchPriority: 'low' } as PreloadModuleOptions

// The same text in each document, so that an app's policy can name its hash. It removes itself, as
// React would take it for the first inline script of the app's head. It makes the payload's array
// before any content, of which an element could have that name.
const wake =
  '{self.__waymark??=[];let c=document.currentScript,s=c.previousSibling.src;c.remove();' +
  'setTimeout(()=>import(s).catch(()=>{}),1e3)}'

/**
 * The tag of the entry, at the start of the head, so that a document that is cut anywhere can be
 * repaired. Safari puts asynchronous scripts off until it paints, but not an import.
 * @param idPrefix of the ids that React writes
 */
export function entryTag(nonce: string | undefined, idPrefix?: string): string {
  const src = assetsManifest.clientEntryUrl
  const nonceAttribute = attribute('nonce', nonce)
  const id = attribute('id', idPrefix)
  const entry = attribute('src', src) + attribute('integrity', assets.integrity[src])
  return `<script type="module" async${entry}${nonceAttribute}${id}></script><script${nonceAttribute}>${wake}</script>`
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`
}

/** Preloads what an interactive page will import; called within React's render of its document. */
export function preloadScripts(named: Iterable<string>): void {
  const { clientEntryDeps, clientReferenceDeps } = assetsManifest
  const urls = new Set(assets.app)
  for (const file of named) for (const url of clientReferenceDeps[file]?.js ?? []) urls.add(url)
  for (const url of clientEntryDeps?.js ?? []) urls.delete(url)
  for (const url of urls) {
    const hash = assets.integrity[url]
    preloadModule(url, hash === undefined ? lowPriority : { ...lowPriority, integrity: hash })
  }
}
