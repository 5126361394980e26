import { extractNames } from '@vitejs/plugin-rsc/transforms'
import { type ESTree, type ParseResult, parse, Visitor } from 'vite'
import { groupBy } from '../../shared/maps.ts'
import { reloadedExports } from '../internals/nodeReact.ts'

export type NameUse = {
  readonly specifier: string
  /**
   * Name of the export. `*` stands for all exports, and `''` for an import that only runs the
   * module.
   */
  readonly name: string
  /** Exports of this module that use or re-export the name; `null` if any of them may. */
  readonly through: readonly string[] | null
}

export type ImportedNames = {
  readonly uses: readonly NameUse[]
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[]
  /** Names that the module's code lists as exports. */
  readonly exports: ReadonlySet<string>
  /** Finds the exports that use a given export. Returns `null` if the code doesn't show which do. */
  usersOf(name: string): readonly string[] | null
}

// Stands for the default export. No identifier can contain an asterisk.
const defaultExport = '*default*'

/**
 * Reads the names that a module imports, and which of its exports use them.
 *
 * @param code JavaScript, with types and JSX already compiled
 * @returns `null` if the code isn't JavaScript, for example a stylesheet
 */
export async function readImportedNames(code: string): Promise<ImportedNames | null> {
  const parsed = await parse('module.js', code, { lang: 'js', preserveParens: false })
  if (parsed.errors.length > 0) return null
  const { program, module } = parsed
  const uses: NameUse[] = []
  const imported = importsOf(module)
  const { exported, passedOn, stars } = exportsOf(module, imported)
  const namespaces = imported.filter(({ name }) => name === '*').map(({ local }) => local)
  const statements = readStatements(program, new Set(namespaces))
  const users = createUsers(exported, statements)
  for (const { moduleRequest, entries } of module.staticImports) {
    if (entries.length === 0) uses.push({ specifier: moduleRequest.value, name: '', through: null })
  }
  for (const { local, specifier, name } of imported) {
    if (local === reloadedExports) {
      uses.push({ specifier, name: '', through: [] })
      continue
    }
    const mentions = name === '*' ? namespaceMentions(local, users) : [{ local, name }]
    const mentioned = mentions.filter((mention) => users.isMentioned(mention.local))
    // A bundler omits the names of an import that isn't used, so record that the import only runs
    // the module.
    if (mentioned.length === 0) uses.push({ specifier, name: '', through: null })
    for (const mention of mentioned) {
      uses.push({ specifier, name: mention.name, through: orAll(users.find([mention.local])) })
    }
  }
  for (const { loads, declares, isEffect } of statements) {
    const through = loads.size === 0 || isEffect ? null : orAll(users.find([...declares]))
    for (const specifier of loads) uses.push({ specifier, name: '*', through })
  }
  return {
    uses: [...uses, ...passedOn],
    stars,
    exports: new Set([...exported.keys(), ...passedOn.flatMap(({ through }) => through)]),
    usersOf: (name) => users.find([exported.get(name) ?? name]),
  }
}

// A name that no export uses may be stored anywhere, so assume that any export may use it.
function orAll(exportNames: readonly string[] | null): readonly string[] | null {
  return exportNames?.length === 0 ? null : exportNames
}

type Imported = { readonly local: string; readonly specifier: string; readonly name: string }

function importsOf({ staticImports }: ParseResult['module']): Imported[] {
  return staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ localName, importName }) => ({
      local: localName.value,
      specifier: moduleRequest.value,
      name: nameOf(importName),
    })),
  )
}

function nameOf({ kind, name }: { readonly kind: string; readonly name: string | null }): string {
  return kind === 'Default' ? 'default' : (name ?? '*')
}

function exportsOf({ staticExports }: ParseResult['module'], imported: readonly Imported[]) {
  const exported = new Map<string, string>()
  const passedOn: (NameUse & { readonly through: readonly string[] })[] = []
  const stars: string[] = []
  for (const entry of staticExports.flatMap(({ entries }) => entries)) {
    const { moduleRequest, importName, localName } = entry
    const name = nameOf(entry.exportName)
    const specifier = moduleRequest?.value
    // In ECMAScript's module records, an import that is re-exported refers to the other module.
    const isSame = (it: Imported) => it.specifier === specifier && it.name === nameOf(importName)
    if (specifier === undefined) exported.set(name, localName.name ?? defaultExport)
    else if (importName.kind === 'AllButDefault') stars.push(specifier)
    else {
      const local = imported.find(isSame)?.local
      if (local !== undefined) exported.set(name, local)
      else passedOn.push({ specifier, name: nameOf(importName), through: [name] })
    }
  }
  return { exported, passedOn, stars }
}

type Statement = {
  /**
   * Names that the statement declares or assigns. A use of one of them counts as a use of
   * everything in the statement.
   */
  readonly declares: Set<string>
  /** Identifiers in the statement. A namespace's members are written as `ns.name`. */
  readonly mentions: Set<string>
  readonly loads: Set<string>
  /**
   * True if the statement declares nothing, so that it may store the values that it mentions
   * anywhere.
   */
  readonly isEffect: boolean
}

/** @param namespaces names of `import * as` */
function readStatements(program: ESTree.Program, namespaces: ReadonlySet<string>): Statement[] {
  const statements: Statement[] = []
  for (const node of program.body) {
    const code = codeOf(node)
    if (code === null || isRegistration(code)) continue
    const declares = new Set(declaredNames(code))
    const mentions = new Set<string>()
    const loads = new Set<string>()
    collecting = { declares, mentions, loads, namespaces }
    visitor.visit({ ...program, body: [node] })
    const isDefault = node.type === 'ExportDefaultDeclaration'
    if (isDefault) declares.add(defaultExport)
    const isEffect = !(isDefault || isDeclaring(code)) || declares.size === 0
    statements.push({ declares, mentions, loads, isEffect })
  }
  return statements
}

/** @returns `null` for a statement that only imports or exports names */
function codeOf(node: ESTree.Program['body'][number]): ESTree.Node | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return null
    case 'ExportNamedDeclaration':
      return node.declaration
    case 'ExportDefaultDeclaration':
      return node.declaration.type === 'Identifier' ? null : node.declaration
    default:
      return node
  }
}

let collecting: Omit<Statement, 'isEffect'> & { readonly namespaces: ReadonlySet<string> }
const keys = new WeakSet<ESTree.Node>()

const mention = (node: ESTree.Node & { readonly name: string }) => {
  if (!keys.has(node)) collecting.mentions.add(node.name)
}
const skipKey = (node: { readonly key: ESTree.Node; readonly computed: boolean }) => {
  if (!node.computed) keys.add(node.key)
}

// The parser retains every visitor, so use one for all programs.
const visitor = new Visitor({
  Identifier: mention,
  JSXIdentifier: mention,
  Property: skipKey,
  MethodDefinition: skipKey,
  PropertyDefinition: skipKey,
  MemberExpression({ object, property, computed }) {
    if (computed) return
    keys.add(property)
    if (object.type !== 'Identifier' || !collecting.namespaces.has(object.name)) return
    keys.add(object)
    collecting.mentions.add(`${object.name}.${property.name}`)
  },
  AssignmentExpression({ left }) {
    for (const name of boundNames(left)) collecting.declares.add(name)
  },
  ImportExpression({ source }) {
    if (source.type === 'Literal' && typeof source.value === 'string') {
      collecting.loads.add(source.value)
    }
  },
})

const registrations = new Set(['registerServerReference', 'registerClientReference'])

// True for plugin-rsc's call `$$ReactServer.registerServerReference(save, …)`, which doesn't count
// as a use.
function isRegistration(node: ESTree.Node): boolean {
  const callee = callOf(node)?.callee
  return callee?.type === 'MemberExpression' && registrations.has(propertyOf(callee) ?? '')
}

function isDeclaring(node: ESTree.Node): boolean {
  if (/^(?:Function|Class|Variable)Declaration$/.test(node.type)) return true
  if (node.type !== 'ExpressionStatement') return false
  return node.expression.type === 'AssignmentExpression' || isPropertyAssignment(node)
}

function declaredNames(node: ESTree.Node): string[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id ? [node.id.name] : []
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => boundNames(id))
    default:
      return isPropertyAssignment(node) ? boundNames(callOf(node)?.arguments[0]) : []
  }
}

const assigners = new Set(['assign', 'defineProperty', 'defineProperties'])

// Matches the functions with which fast refresh registers components in the dev server.
const reloading = /^(?:\$RefreshReg\$|_s\d*)$/

function isPropertyAssignment(node: ESTree.Node): boolean {
  const callee = callOf(node)?.callee
  if (callee?.type === 'Identifier') return reloading.test(callee.name)
  if (callee?.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false
  return callee.object.name === 'Object' && assigners.has(propertyOf(callee) ?? '')
}

function callOf(node: ESTree.Node): ESTree.CallExpression | null {
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'CallExpression') return null
  return node.expression
}

function propertyOf({ property, computed }: ESTree.MemberExpression): string | null {
  return !computed && property.type === 'Identifier' ? property.name : null
}

function boundNames(node: ESTree.Node | undefined): string[] {
  // plugin-rsc uses the same types from a different package, so cast. A pattern that begins with a
  // call has no name.
  const names: (string | undefined)[] = node ? extractNames(node as never) : []
  return names.filter((name) => name !== undefined)
}

/**
 * Returns the members of a namespace that the code mentions, or `*` if it mentions the namespace
 * itself.
 */
function namespaceMentions(local: string, users: Users): { local: string; name: string }[] {
  if (users.isMentioned(local)) return [{ local, name: '*' }]
  const members = users.mentions().filter((mention) => mention.startsWith(`${local}.`))
  return members.map((member) => ({ local: member, name: member.slice(local.length + 1) }))
}

type Users = ReturnType<typeof createUsers>

function createUsers(exported: ReadonlyMap<string, string>, statements: readonly Statement[]) {
  const exportsOf = groupBy(exported, ([, local]) => local)
  const mentions = statements.flatMap((statement) =>
    [...statement.mentions].map((name) => ({ name, statement })),
  )
  const mentioning = groupBy(mentions, ({ name }) => name)
  return {
    mentions: () => [...mentioning.keys()],
    isMentioned: (local: string) => mentioning.has(local) || exportsOf.has(local),
    /** @returns `null` if one of the names is used by a statement that isn't a declaration */
    find(locals: readonly string[]): readonly string[] | null {
      const exportNames = new Set<string>()
      const reached = new Set(locals)
      for (const local of reached) {
        for (const [name] of exportsOf.get(local) ?? []) exportNames.add(name)
        for (const { statement } of mentioning.get(local) ?? []) {
          if (statement.isEffect) return null
          for (const name of statement.declares) reached.add(name)
        }
      }
      return [...exportNames]
    },
  }
}
