import type { LoadedRouteFile } from './routeModules.ts'
import { slotFiles } from './segments.ts'

/**
 * Collects the client code that a page needs. The build's module graph lists the client components
 * that each route file may show. In development there is no graph, so every page needs React.
 */
export type ClientNeeds = ReturnType<typeof createClientNeeds>

export function createClientNeeds() {
  // The client components of the page's route files in the module graph.
  const graphFiles = new Set(slotFiles)
  // The same components, and those that were rendered without being in the module graph.
  const clientFiles = new Set(slotFiles)
  let needsReact = false
  return {
    /** Keys of the client references that the page may show. */
    clientFiles: clientFiles as ReadonlySet<string>,
    /**
     * Returns true if the page, as far as it has been rendered, needs React in the browser at once.
     */
    needsReact: () => needsReact || clientFiles.size > graphFiles.size,
    /**
     * Records that the page needs React, for a part that isn't in the module graph, such as an
     * error screen.
     */
    requireReact(): void {
      needsReact = true
    },
    /**
     * Adds the key of a client reference that React has written into the payload. The module graph
     * misses components from a registry that the app fills in a file which the route doesn't
     * import.
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

// Matches error files. Their screens don't make a page need React, because they are only shown
// after a failure.
const errorScreen = /(?:^|\/)(?:global-)?error\.\w+$/
