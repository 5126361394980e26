import type { ImportedNames } from './importedNames.ts'

/** Which module imports what of which, on the server and in browsers. */
export type ImportGraphs = {
  /** @returns ids of the modules that import a module there */
  importersOf(side: Side, id: string): Iterable<string>
  /** Whether the server holds a mere reference in place of a module, which browsers load. */
  isClientReference(id: string): boolean
  /** @returns `null` for a module whose code was not read: it uses all names of what it imports */
  namesOf(side: Side, id: string): ResolvedNames | null
}

/** What the code of a module says of names, and which modules it means. */
export type ResolvedNames = ImportedNames & {
  /** @returns the module that a specifier stands for; `null` for one outside of the graph */
  resolved(specifier: string): string | null
}

export type Side = 'server' | 'client'

/** An export of a module that leads to the action. */
type Reached = { readonly side: Side; readonly id: string; readonly name: string }

// Modules that name all actions, all client components, or all route files of an app.
const listsOfAll = /virtual:(?:vite-rsc\/(?:server|client)-references|waymark\/routes$)/

// Of a module: all of its exports, whatever their names are.
const everyName = '*'

// Of a module: that it runs, for whoever imports it without a name.
const running = ''

/** Finds the modules of the server that lead to an action. */
export type FindReaching = (action: {
  /** Of its module. */
  readonly id: string
  /** As its module exports it. */
  readonly name: string
}) => Set<string>

/**
 * Makes the search for what leads to an action: the modules that import it by name, and those that
 * import what leads to it, by name again; through what client components import, too. It stays
 * valid as long as the graphs do not change.
 */
export function createFindReaching(graphs: ImportGraphs): FindReaching {
  const importers = { server: new Map<string, Importers>(), client: new Map<string, Importers>() }

  function importersOf(side: Side, id: string): Importers {
    const known = importers[side].get(id) ?? readImporters(side, id, graphs)
    importers[side].set(id, known)
    return known
  }

  return (action) => {
    const reached = new Set<string>()
    const visited = new Set<string>()
    const waiting = [
      ...actionExports('server', action, graphs),
      ...actionExports('client', action, graphs),
    ]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { side, id, name } = next
      const key = `${side} ${name} ${id}`
      if (visited.has(key)) continue
      visited.add(key)
      if (side === 'server') reached.add(id)
      else if (graphs.isClientReference(id)) waiting.push({ side: 'server', id, name })
      for (const each of leadingExports(importersOf(side, id), name)) waiting.push(each)
    }
    return reached
  }
}

/** The action itself, and what uses it in its own module: inline actions are used there alone. */
function actionExports(
  side: Side,
  { id, name }: { readonly id: string; readonly name: string },
  graphs: ImportGraphs,
): Reached[] {
  const names = graphs.namesOf(side, id)
  const users = names ? (names.usersOf(name) ?? allOf(names)) : []
  return [name, ...users].map((each) => ({ side, id, name: each }))
}

/** What imports a module, and which exports of it lead there. */
type Importers = {
  /** By the name that is imported; `*` for all. */
  readonly exports: Map<string, Reached[]>
  /** Modules that pass all names on, but for those that they export themselves. */
  readonly stars: { readonly reached: Reached; readonly hidden: ReadonlySet<string> }[]
}

function readImporters(side: Side, imported: string, graphs: ImportGraphs): Importers {
  const importers: Importers = { exports: new Map(), stars: [] }
  const add = (name: string, id: string, through: readonly string[]) => {
    const list = importers.exports.get(name) ?? []
    importers.exports.set(name, list)
    for (const each of through) list.push({ side, id, name: each })
  }
  for (const id of graphs.importersOf(side, imported)) {
    if (listsOfAll.test(id)) continue
    const names = graphs.namesOf(side, id)
    const isMeant = (specifier: string) => names?.resolved(specifier) === imported
    const uses = names?.uses.filter(({ specifier }) => isMeant(specifier)) ?? []
    const isStarred = names?.stars.some(isMeant) ?? false
    if (names && isStarred) {
      importers.stars.push({ reached: { side, id, name: everyName }, hidden: names.exports })
    }
    for (const { name, through } of uses) add(name, id, through ?? (names ? allOf(names) : []))
    // It imports the module in a way that its code does not show.
    if (uses.length === 0 && !isStarred) add(everyName, id, [everyName])
  }
  return importers
}

/** The exports of a module's importers that lead to an export of it. */
function leadingExports({ exports, stars }: Importers, name: string): Reached[] {
  if (name === everyName) return [...exports.values(), stars.map(({ reached }) => reached)].flat()
  const leading = [...(exports.get(name) ?? []), ...(exports.get(everyName) ?? [])]
  if (name === 'default' || name === running) return leading
  // A star passes on what has no other meaning in its module.
  const passing = stars.filter(({ hidden }) => !hidden.has(name))
  return [...leading, ...passing.map(({ reached }) => ({ ...reached, name }))]
}

function allOf({ exports }: ResolvedNames): string[] {
  return [...exports, running]
}
