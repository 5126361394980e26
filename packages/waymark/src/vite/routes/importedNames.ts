import type { ESTree } from 'vite'
import { declaredNames, readStatement, type Statement } from './importStatements.ts'

/** A name that a module takes from another. */
export type NameUse = {
  readonly specifier: string
  /** As the other module exports it; `*` for all of its names, `''` if it only runs. */
  readonly name: string
  /**
   * Exports of the importing module that use it, or pass it on; `null` if the code does not tell:
   * then each of them may.
   */
  readonly through: readonly string[] | null
}

/** The names that the code of a module imports and exports. */
export type ImportedNames = {
  readonly uses: readonly NameUse[]
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[]
  /** The module's exports that have a name in its code. */
  readonly exports: ReadonlySet<string>
  /**
   * Finds the exports that use another export of the module.
   * @returns `null` if the code does not tell
   */
  usersOf(name: string): readonly string[] | null
}

type Imported = { readonly local: string; readonly specifier: string; readonly name: string }

/** The statements of a module, before their dependencies are resolved. */
type Declarations = {
  readonly imported: Imported[]
  /** Local names by exported names. */
  readonly exported: Map<string, string>
  readonly statements: Statement[]
  readonly uses: NameUse[]
  readonly stars: string[]
}

// Not a valid name in a program.
const defaultExport = '*default*'

// With it, Vite's code for fast refresh imports each module of components into itself.
const reloadedExports = '__vite_react_currentExports'

/**
 * Reads which names a module takes from others, and which of its exports lead to them: through
 * the statements that mention them, and those that mention what these declare.
 * @param program of JavaScript: types and JSX are compiled already
 */
export function readImportedNames(program: ESTree.Program): ImportedNames {
  const declarations = readDeclarations(program)
  const { imported, exported, statements, stars } = declarations
  const users = createUsers(exported, statements)
  const uses = [...declarations.uses]
  for (const { local, specifier, name } of imported) {
    const mentions = name === '*' ? namespaceMentions(local, users) : [{ local, name }]
    const found = mentions.filter((mention) => users.isMentioned(mention.local))
    // A bundler leaves out what nothing mentions, but the module still runs.
    if (found.length === 0) uses.push({ specifier, name: '', through: null })
    for (const mention of found) {
      uses.push({ specifier, name: mention.name, through: orAll(users.find([mention.local])) })
    }
  }
  for (const { loads, declares, isEffect } of statements) {
    const through = loads.size === 0 || isEffect ? null : orAll(users.find([...declares]))
    for (const specifier of loads) uses.push({ specifier, name: '*', through })
  }
  return {
    uses,
    stars,
    exports: new Set([
      ...exported.keys(),
      ...declarations.uses.flatMap((use) => use.through ?? []),
    ]),
    usersOf: (name) => users.find([exported.get(name) ?? name]),
  }
}

// What leads to no export may be stored anywhere.
function orAll(found: readonly string[] | null): readonly string[] | null {
  return found?.length === 0 ? null : found
}

function readDeclarations({ body }: ESTree.Program): Declarations {
  const read: Declarations = {
    imported: [],
    exported: new Map(),
    statements: [],
    uses: [],
    stars: [],
  }
  for (const node of body) if (node.type === 'ImportDeclaration') readImport(node, read)
  const namespaces = new Set(read.imported.filter(({ name }) => name === '*').map((i) => i.local))
  for (const node of body) {
    switch (node.type) {
      case 'ImportDeclaration':
        break
      case 'ExportAllDeclaration': {
        const specifier = node.source.value
        if (node.exported === null) read.stars.push(specifier)
        else read.uses.push({ specifier, name: '*', through: [nameOf(node.exported)] })
        break
      }
      case 'ExportNamedDeclaration':
        readNamedExport(node, namespaces, read)
        break
      case 'ExportDefaultDeclaration':
        readDefaultExport(node, namespaces, read)
        break
      default: {
        const statement = readStatement(node, namespaces)
        if (statement) read.statements.push(statement)
      }
    }
  }
  return read
}

function readImport(node: ESTree.ImportDeclaration, { imported, uses }: Declarations): void {
  const specifier = node.source.value
  if (node.specifiers.length === 0) uses.push({ specifier, name: '', through: null })
  for (const each of node.specifiers) {
    const local = each.local.name
    if (local === reloadedExports) uses.push({ specifier, name: '', through: [] })
    else imported.push({ local, specifier, name: importedName(each) })
  }
}

function importedName(specifier: ESTree.ImportDeclaration['specifiers'][number]): string {
  switch (specifier.type) {
    case 'ImportSpecifier':
      return nameOf(specifier.imported)
    case 'ImportDefaultSpecifier':
      return 'default'
    case 'ImportNamespaceSpecifier':
      return '*'
  }
}

function readNamedExport(
  node: ESTree.ExportNamedDeclaration,
  namespaces: ReadonlySet<string>,
  { exported, statements, uses }: Declarations,
): void {
  const specifier = node.source?.value
  for (const each of node.specifiers) {
    const [local, name] = [nameOf(each.local), nameOf(each.exported)]
    if (specifier === undefined) exported.set(name, local)
    else uses.push({ specifier, name: local, through: [name] })
  }
  const statement = node.declaration && readStatement(node.declaration, namespaces)
  if (!statement) return
  statements.push(statement)
  for (const name of declaredNames(node.declaration)) exported.set(name, name)
}

function readDefaultExport(
  { declaration }: ESTree.ExportDefaultDeclaration,
  namespaces: ReadonlySet<string>,
  { exported, statements }: Declarations,
): void {
  if (declaration.type === 'Identifier') {
    exported.set('default', declaration.name)
    return
  }
  const statement = readStatement(declaration, namespaces)
  if (!statement) return
  const declares = new Set([...statement.declares, defaultExport])
  exported.set('default', defaultExport)
  statements.push({ ...statement, declares, isEffect: false })
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === 'Literal' ? String(node.value) : node.name
}

/** The members of a namespace that the code mentions; `*` if it mentions the namespace itself. */
function namespaceMentions(local: string, users: Users): { local: string; name: string }[] {
  if (users.isMentioned(local)) return [{ local, name: '*' }]
  const members = users.mentions().filter((mention) => mention.startsWith(`${local}.`))
  return members.map((member) => ({ local: member, name: member.slice(local.length + 1) }))
}

type Users = ReturnType<typeof createUsers>

/** Finds which exports depend on local names. */
function createUsers(exported: ReadonlyMap<string, string>, statements: readonly Statement[]) {
  const exportsOf = new Map<string, string[]>()
  for (const [name, local] of exported) append(exportsOf, local, name)
  const mentioning = new Map<string, Statement[]>()
  for (const statement of statements) {
    for (const name of statement.mentions) append(mentioning, name, statement)
  }
  return {
    mentions: () => [...mentioning.keys()],
    isMentioned: (local: string) => mentioning.has(local) || exportsOf.has(local),
    /** @returns `null` if a statement that declares nothing mentions one of them */
    find(locals: readonly string[]): readonly string[] | null {
      const found = new Set<string>()
      const visited = new Set<string>()
      const waiting = [...locals]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (visited.has(next)) continue
        visited.add(next)
        for (const name of exportsOf.get(next) ?? []) found.add(name)
        for (const { isEffect, declares } of mentioning.get(next) ?? []) {
          if (isEffect) return null
          waiting.push(...declares)
        }
      }
      return [...found]
    },
  }
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
