import { describe, expect, test } from 'vitest'
import { createDevActions } from './actionReachability.ts'

describe('an action of a package, in the dev server,', () => {
  const file = '/app/node_modules/kit/actions.js'
  const button = '/app/node_modules/kit/button.js'
  const server = '/app/node_modules/kit/server.js?v=1e02e7a6'
  const bundle = '/app/node_modules/.vite/deps/kit.js?v=c39dd326'
  const page = '/app/app/page.tsx'
  const byName = '\0virtual:vite-rsc/client-package-proxy/kit'
  const byFile = `\0virtual:vite-rsc/client-in-server-package-proxy/${encodeURIComponent(button)}`

  /** Ids of the modules that import a module, by its id. */
  type Importers = Readonly<Record<string, readonly string[]>>

  const graphOf = (importers: Importers) => ({
    getModulesByFile(path: string) {
      const ids = Object.keys(importers).filter((id) => id.replace(/\?.*/, '') === path)
      return ids.map((id) => ({ id, importers: importers[id]?.map((each) => ({ id: each })) }))
    },
  })

  function reachingFiles(
    { rsc = {}, client = {} }: { readonly rsc?: Importers; readonly client?: Importers },
    references: Readonly<Record<string, { readonly packageSource?: string }>>,
  ): readonly string[] {
    const reference = { importId: file, referenceKey: 'kit', exportNames: ['save'] }
    const manager = {
      clientReferenceMetaMap: references,
      serverReferences: { findByReferenceKey: () => reference, metaMap: new Map() },
    }
    const environments = {
      rsc: { moduleGraph: graphOf(rsc) },
      client: { moduleGraph: graphOf(client) },
      ssr: { moduleGraph: graphOf({}) },
    }
    const actions = createDevActions(
      // Fakes contain only the parts of plugin-rsc and Vite that the search uses.
      manager as unknown as Parameters<typeof createDevActions>[0],
      environments as unknown as Parameters<typeof createDevActions>[1],
      { appDir: '/app/app', findNames: () => null },
    )
    return (actions.find('kit#save')?.files ?? []).filter((each) => !each.startsWith('../'))
  }

  test("is reached by a client page that imports the package's bundle", () => {
    const client = { [`${file}?v=1e02e7a6`]: [bundle], [bundle]: [page] }
    expect(reachingFiles({ client }, { [page]: {} })).toEqual(['page.tsx'])
  })

  test('is reached by a server page that imports the client component', () => {
    const client = { [`${file}?v=1e02e7a6`]: [bundle], [bundle]: [byName] }
    const references = { [button]: { packageSource: 'kit' } }
    expect(reachingFiles({ client, rsc: { [button]: [page] } }, references)).toEqual(['page.tsx'])
  })

  test('is reached by a page with a server component of the package', () => {
    const client = { [`${file}?v=1e02e7a6`]: [bundle], [bundle]: [byFile] }
    const rsc = { [`${button}?v=1e02e7a6`]: [server], [server]: [page] }
    expect(reachingFiles({ client, rsc }, { [button]: {} })).toEqual(['page.tsx'])
  })

  test("isn't reached by a page that imports another component, or its file as text", () => {
    const other = '/app/node_modules/kit/other.js'
    const client = {
      [`${file}?v=1e02e7a6`]: [bundle],
      [`${file}?raw`]: [page],
      [bundle]: [byFile],
      [`${other}?v=1e02e7a6`]: [page],
    }
    const references = { [button]: {}, [other]: {}, [page]: {} }
    expect(reachingFiles({ client, rsc: { [other]: [page] } }, references)).toEqual([])
  })
})
