import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { DevFaults } from '@waymark/testing/dev'
import type { InspectedServer } from 'waymark/plugin/dev'
import type { InspectedApp } from './mcp/inspectedApp.ts'

/** The package that breaks requests. It may not be installed. */
type Testing = typeof import('@waymark/testing/dev')

/** Creates the faults that browsers can switch on. The first one loads `@waymark/testing`. */
export function createFaults({ basePath, origin, loadPackage }: InspectedServer) {
  let loaded: DevFaults | null = null
  return {
    async load(): Promise<DevFaults> {
      const { createDevFaults } = await loadTesting(loadPackage, 'The tab Faults')
      loaded ??= createDevFaults({ basePath, origin })
      return loaded
    },
    breakRequests(req: IncomingMessage, res: ServerResponse, next: () => void): void {
      if (loaded) loaded.breakRequests(req, res, next)
      else next()
    },
  }
}

export function createReplay({ root, loadPackage }: InspectedServer): InspectedApp['replay'] {
  return async (digest, wish) => {
    const loaded = await loadPackage('@waymark/replay/dev', 'The tool replay')
    const { replayDigest } = loaded as typeof import('@waymark/replay/dev')
    return replayDigest(root, digest, wish)
  }
}

/**
 * Creates the function that breaks one load of a page. Calls run one after another, because each
 * starts a browser.
 */
export function createPageDrill(server: InspectedServer): InspectedApp['drill'] {
  const { root, buildDir, origin: findOrigin, loadPackage } = server
  let last: Promise<unknown> = Promise.resolve()
  return (pathname, fault) => {
    const run = async () => {
      const origin = findOrigin()
      if (origin === null) {
        throw new Error("The drill needs the app's own dev server, without TLS. Run waymark dev.")
      }
      const { drillPage } = await loadTesting(loadPackage, 'The tool drill')
      const pictures = path.join(buildDir, 'drill')
      return drillPage({ root, origin, pathname, fault, pictures })
    }
    const drilled = last.then(run)
    last = drilled.catch(() => {})
    return drilled
  }
}

async function loadTesting(
  load: InspectedServer['loadPackage'],
  neededFor: string,
): Promise<Testing> {
  return (await load('@waymark/testing/dev', neededFor)) as Testing
}
