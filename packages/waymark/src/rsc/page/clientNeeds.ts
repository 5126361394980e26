import type { LoadedRouteFile } from './routeModules.ts'
import { slotFiles } from './segments.ts'

/**
 * Collects the client code that a page needs. The build's module graph contains the client components that each route
 * file may show. Without the graph, as in development, every page needs React.
 */
export type ClientNeeds = ReturnType<typeof createClientNeeds>

export function createClientNeeds() {
  // The client components of the page's route files in the module graph.
  const graphFiles = new Set(slotFiles)
  // The client components of the page's route files, and client components that were rendered without being in the
  // module graph.
  const clientFiles = new Set(slotFiles)
  let needsReact = false
  return {
    /** Keys of the client references that the page may show. */
    clientFiles: clientFiles as ReadonlySet<string>,
    /** Returns true if the part of the page that has been rendered so far needs React in the browser at once. */
    needsReact: () => needsReact || clientFiles.size > graphFiles.size,
    /**
     * Records that the page needs React. Call this function for a part that needs React but isn't in the module graph,
     * such as an error screen.
     */
    requireReact(): void {
      needsReact = true
    },
    /**
     * Adds the key of a client reference that React has written into the payload. A page may get client
     * components from a registry, which the app fills in a file that the page's route doesn't import.
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

// Pattern of error files. A page doesn't need React for its error screens, because it shows one only if a part of the
// page fails.
const errorScreen = /(?:^|\/)(?:global-)?error\.\w+$/
