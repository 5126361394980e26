import type { LoadedRouteFile } from './routeModules.ts'
import { slotFiles } from './segments.ts'

/**
 * Collects what a page needs of client code. The build knows from its module graph what each route
 * file may show; in doubt, a page needs React.
 */
export type ClientNeeds = ReturnType<typeof createClientNeeds>

export function createClientNeeds() {
  // What the module graph has of the page's route files.
  const graphFiles = new Set(slotFiles)
  // The same, and what is rendered without being in the module graph.
  const clientFiles = new Set(slotFiles)
  let needsReact = false
  return {
    /** Keys of the client references that the page may show. */
    clientFiles: clientFiles as ReadonlySet<string>,
    /** Tells whether the page, as far as it has rendered, needs React in the browser at once. */
    needsReact: () => needsReact || clientFiles.size > graphFiles.size,
    /** For what the module graph can't know, such as a part that has failed. */
    requireReact(): void {
      needsReact = true
    },
    /**
     * Adds the key of a client reference that React has written into the payload. Pages may get client
     * components from a registry, which the app fills in a file that their routes don't import.
     */
    addRenderedFile(key: string): void {
      clientFiles.add(key)
    },
    addFiles(files: Iterable<LoadedRouteFile>): void {
      for (const { file, clientFiles: keys, mayNeedReact } of files) {
        for (const key of keys) {
          graphFiles.add(key)
          clientFiles.add(key)
        }
        needsReact ||= mayNeedReact && !errorScreen.test(file)
      }
    },
  }
}

// Pages hand their error screens over, and show one only where a part has failed.
const errorScreen = /(?:^|\/)(?:global-)?error\.\w+$/
