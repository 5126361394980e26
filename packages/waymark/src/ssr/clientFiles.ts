import assetsManifest from 'virtual:vite-rsc/assets-manifest'
import clientReferences from 'virtual:vite-rsc/client-references'
import assets from 'virtual:waymark/client-assets'
import { setRequireModule } from '@vitejs/plugin-rsc/core/ssr'
import { preinit } from 'react-dom'
import { withDeadline } from '../shared/promises.ts'

/** A client component's file, by the name that payloads give it. */
type ClientFile = Readonly<Record<string, unknown>>

const files = new Map<string, Promise<ClientFile>>()

// The first call counts; the second is plugin-rsc's, which preloads every script of a file, and
// whose links have no integrity. In the dev server it loads client files by their URL.
if (import.meta.env.WAYMARK_IS_BUILD) setRequireModule({ load: loadClientFile })

function loadClientFile(name: string): Promise<ClientFile> {
  const known = files.get(name) ?? importClientFile(name)
  files.set(name, known)
  return known
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

// One that never loads holds up its own place, not the page.
const longestLoadMs = 1000

/**
 * Loads client files before a render: the styles of a file that is loaded within one would stand in
 * front of those of the layout around.
 * @returns `null` when there is nothing to wait for
 */
export function loadClientFiles(names: ReadonlySet<string>): Promise<void> | null {
  if (!import.meta.env.WAYMARK_IS_BUILD) return null
  const missing: string[] = []
  // A payload's texts may look like a name.
  for (const name of names)
    if (!loaded.has(name) && Object.hasOwn(clientReferences, name)) missing.push(name)
  return missing.length === 0 ? null : loadMissing(missing)
}

async function loadMissing(names: readonly string[]): Promise<void> {
  // What can't be loaded is reported where it is rendered.
  await withDeadline(Promise.allSettled(names.map(loadClientFile)), longestLoadMs)
  for (const name of names) loaded.add(name)
}
