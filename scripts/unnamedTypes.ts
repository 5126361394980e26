import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ESTree, parseSync } from 'vite'

/** A declaration, identified by its file and by its name in the file. */
type Place = { readonly file: string; readonly name: string }

/**
 * A type that no public entry exports. `reachedFrom` is the declaration whose signature contains
 * the type.
 */
export type UnnamedType = Place & { readonly reachedFrom: string }

type DeclarationFile = {
  readonly declarations: ReadonlyMap<string, readonly ESTree.Node[]>
  readonly imports: ReadonlyMap<string, Import>
  readonly exports: readonly Export[]
}

type Import = { readonly source: string; readonly name: string }

/**
 * An exported name. `source` is the module in a re-export, or `null` if the file itself declares or
 * imports the name.
 */
type Export = { readonly exported: string; readonly name: string; readonly source: string | null }

type Load = (file: string) => DeclarationFile

/**
 * Finds types in exported signatures that no public entry exports, so that an author can't name
 * them. Reads the declaration files that the build has written.
 * @param dist folder of the declarations
 * @param entries entries whose signatures are followed, such as `plugin`
 * @param allEntries entries whose exported types count as named
 * @returns the types, with files relative to `dist`
 */
export function findUnnamedTypes(
  dist: string,
  entries: readonly string[],
  allEntries: readonly string[],
): UnnamedType[] {
  const files = new Map<string, DeclarationFile>()
  const load: Load = (file) => {
    const loaded = files.get(file) ?? readDeclarations(file)
    files.set(file, loaded)
    return loaded
  }
  const exportsOf = (entry: string) => resolveExports(join(dist, `${entry}.d.ts`), load)
  const keyOf = ({ file, name }: Place) => `${file}#${name}`
  const named = new Set(allEntries.flatMap(exportsOf).map(keyOf))
  const seen = new Set<string>()
  const unnamed: UnnamedType[] = []
  const queue = entries.flatMap(exportsOf).map((each) => ({ ...each, reachedFrom: each.name }))
  for (const each of queue) {
    const { file, name } = each
    if (seen.has(keyOf(each))) continue
    seen.add(keyOf(each))
    const declarations = load(file).declarations.get(name) ?? []
    // Skip values, which authors can name with `typeof`, but check the types in their signatures.
    const isType = declarations.some(({ type }) => typeDeclarations.has(type))
    if (isType && !named.has(keyOf(each))) {
      unnamed.push({ ...each, file: file.slice(dist.length + 1) })
    }
    for (const reference of declarations.flatMap(listReferences)) {
      const place =
        typeof reference === 'string'
          ? resolveLocal(file, reference, load)
          : resolveImport(file, reference, load)
      if (place) queue.push({ ...place, reachedFrom: name })
    }
  }
  return unnamed
}

const typeDeclarations: ReadonlySet<string> = new Set([
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSEnumDeclaration',
  'ClassDeclaration',
])

function readDeclarations(file: string): DeclarationFile {
  const declarations = new Map<string, ESTree.Node[]>()
  const imports = new Map<string, Import>()
  const exports: Export[] = []
  for (const statement of parseSync(file, readFileSync(file, 'utf8')).program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
        imports.set(specifier.local.name, { source: statement.source.value, name })
      }
      continue
    }
    const isExport = statement.type === 'ExportNamedDeclaration'
    if (isExport && !statement.declaration) {
      const source = statement.source?.value ?? null
      for (const { local, exported } of statement.specifiers) {
        exports.push({ exported: nameOf(exported), name: nameOf(local), source })
      }
      continue
    }
    const declaration = isExport ? statement.declaration : statement
    if (!declaration) continue
    for (const name of declaredNames(declaration)) {
      declarations.set(name, [...(declarations.get(name) ?? []), declaration])
      if (isExport) exports.push({ exported: name, name, source: null })
    }
  }
  return { declarations, imports, exports }
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === 'Literal' ? node.value : node.name
}

function declaredNames(declaration: ESTree.Node): string[] {
  switch (declaration.type) {
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
      return declaration.id ? [declaration.id.name] : []
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSEnumDeclaration':
      return [declaration.id.name]
    default:
      return []
  }
}

function resolveExports(file: string, load: Load): Place[] {
  return load(file).exports.flatMap(({ name, source }) => {
    const place =
      source === null ? resolveLocal(file, name, load) : resolveImport(file, { source, name }, load)
    return place ?? []
  })
}

/** @returns `null` for a name that TypeScript itself or a different package declares */
function resolveLocal(file: string, name: string, load: Load): Place | null {
  const { declarations, imports } = load(file)
  if (declarations.has(name)) return { file, name }
  const imported = imports.get(name)
  return imported ? resolveImport(file, imported, load) : null
}

function resolveImport(importer: string, { source, name }: Import, load: Load): Place | null {
  if (!source.startsWith('.')) return null
  const file = join(dirname(importer), source.replace(/\.[jt]sx?$/, '.d.ts'))
  if (!existsSync(file)) return null
  const match = load(file).exports.find(({ exported }) => exported === name)
  if (!match) return null
  return match.source === null
    ? resolveLocal(file, match.name, load)
    : resolveImport(file, { source: match.source, name: match.name }, load)
}

/** Lists the names that a declaration refers to, and imports such as `import('./a.ts').A`. */
function listReferences(declaration: ESTree.Node): (string | Import)[] {
  const references: (string | Import)[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    // Cast without a check, because all objects in the parser's tree are lists or nodes.
    const node = value as ESTree.Node
    if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier') {
      references.push(node.typeName.name)
    } else if (node.type === 'TSTypeQuery' && node.exprName.type === 'Identifier') {
      references.push(node.exprName.name)
    } else if (node.type === 'TSInterfaceHeritage' && node.expression.type === 'Identifier') {
      references.push(node.expression.name)
    } else if (node.type === 'TSImportType' && node.qualifier?.type === 'Identifier') {
      references.push({ source: node.source.value, name: node.qualifier.name })
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(declaration)
  return references
}
