import type { ImportedNames, NameUse } from './importedNames.ts'

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

/**
 * Finds the modules of the server that lead to an action: those that import it by name, and those
 * that import what leads to it, by name again; through what client components import, too.
 * @param action the id of its module, and its name as an export of it
 */
export function modulesReaching(
  action: { readonly id: string; readonly name: string },
  graphs: ImportGraphs,
): Set<string> {
  const reached = new Set<string>()
  const visited = { server: new Map<string, Set<string>>(), client: new Map<string, Set<string>>() }
  const waiting = [
    ...actionExports('server', action, graphs),
    ...actionExports('client', action, graphs),
  ]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { side, id, name } = next
    const names = visited[side].get(id) ?? new Set()
    if (names.has(name)) continue
    visited[side].set(id, names.add(name))
    if (side === 'server') reached.add(id)
    else if (graphs.isClientReference(id)) waiting.push({ side: 'server', id, name })
    for (const importer of graphs.importersOf(side, id)) {
      if (listsOfAll.test(importer)) continue
      for (const leading of leadingExports(graphs.namesOf(side, importer), id, name)) {
        waiting.push({ side, id: importer, name: leading })
      }
    }
  }
  return reached
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

/**
 * The exports of an importer that lead to an export of what it imports.
 * @param names of the importer
 */
function leadingExports(names: ResolvedNames | null, imported: string, name: string): string[] {
  if (names === null) return [everyName]
  const isMeant = (specifier: string) => names.resolved(specifier) === imported
  const uses = names.uses.filter(({ specifier }) => isMeant(specifier))
  const isStarred = names.stars.some(isMeant)
  // It imports the module in a way that its code does not show.
  if (uses.length === 0 && !isStarred) return [everyName]
  const leading = uses
    .filter((use) => isTaken(use, name))
    .flatMap(({ through }) => through ?? allOf(names))
  // A star passes on what has another name in the module, or is its default, to nobody.
  const isPassedOn = name !== 'default' && name !== running && !names.exports.has(name)
  return isStarred && isPassedOn ? [...leading, name] : leading
}

function isTaken(use: NameUse, name: string): boolean {
  return use.name === '*' || name === everyName || use.name === name
}

function allOf({ exports }: ResolvedNames): string[] {
  return [...exports, running]
}
