/** Which module imports which, on the server and in browsers. */
export type ImportGraphs = {
  /** @returns ids of the modules that import a module there */
  importersOf(side: Side, id: string): Iterable<string>
  /** Whether the server holds a mere reference in place of a module, which browsers load. */
  isClientReference(id: string): boolean
}

// Modules that plugin-rsc makes: each imports all actions, or all client components, of an app.
const listsOfAll = /virtual:vite-rsc\/(?:server|client)-references/

type Side = 'server' | 'client'

/**
 * Finds the modules of the server that lead to a module, by imports of its own or by those of the
 * client components that they name.
 */
export function modulesReaching(id: string, graphs: ImportGraphs): Set<string> {
  const reached = { server: new Set<string>(), client: new Set<string>() }
  const waiting: (readonly [Side, string])[] = [
    ['server', id],
    ['client', id],
  ]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [side, at] = next
    if (reached[side].has(at)) continue
    reached[side].add(at)
    if (side === 'client' && graphs.isClientReference(at)) waiting.push(['server', at])
    for (const importer of graphs.importersOf(side, at)) {
      if (!listsOfAll.test(importer)) waiting.push([side, importer])
    }
  }
  return reached.server
}
