import clientReferences from 'virtual:vite-rsc/client-references'
import { payloadBlock } from '../document/documentStream.ts'

/**
 * Loads the code of the client components that a document's own payload names: those of a page that
 * React has not taken over, such as its error screens. By the time it does, the assets of its build
 * may be gone from the server.
 */
export function loadNamedModules(document: Document): void {
  const text = payloadBlock(document)?.textContent ?? window.__waymark?.join('') ?? ''
  // React's row of a module. What else looks like one names no module of the build.
  for (const [, id = ''] of text.matchAll(/:I\["([^"\\]+)"/g)) {
    // React asks again, and says what is missing.
    if (Object.hasOwn(clientReferences, id)) clientReferences[id]?.().catch(() => {})
  }
}
