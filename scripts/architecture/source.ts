import { posix } from 'node:path'
import { parseSync } from 'vite'
import { type Callback, findCallbacks } from './callbacks.ts'
import { type Node, walk } from './syntaxTree.ts'
import { findAsyncFunctions, findWaits, type Wait } from './waits.ts'

/** An import of any kind: a static, dynamic or type-only import, or a re-export. */
export type Import = {
  readonly specifier: string
  /** The imported file, relative to the repository's root, or null if the import is not relative. */
  readonly target: string | null
  readonly line: number
}

export type Mock = { readonly specifier: string; readonly line: number }

/** The parts of a source file that the rules use. */
export type Source = {
  /** Path of the file, relative to the repository's root, with slashes. */
  readonly path: string
  readonly text: string
  /** Names that the file declares and exports. Re-exports are not included. */
  readonly exports: readonly string[]
  readonly directives: readonly string[]
  readonly imports: readonly Import[]
  /** Modules that a test replaces with `vi.mock` or `vi.doMock`. */
  readonly mocks: readonly Mock[]
  readonly callbacks: readonly Callback[]
  readonly waits: readonly Wait[]
  /** Names of the async functions that the file declares. */
  readonly asyncFunctions: readonly string[]
  readonly comments: readonly { readonly text: string; readonly line: number }[]
  /** False if any statement is not an `export … from`. */
  readonly reExportsOnly: boolean
}

/**
 * Parses a file. If the file is not JavaScript or TypeScript, the result contains only its text.
 * @param path relative to the repository's root
 * @throws if the file has a syntax error; the message contains the file's path
 */
export function parseSource(path: string, text: string): Source {
  const plain = {
    path,
    text,
    exports: [],
    directives: [],
    imports: [],
    mocks: [],
    callbacks: [],
    waits: [],
    asyncFunctions: [],
    comments: [],
  }
  if (!/\.[cm]?[jt]sx?$/.test(path)) return { ...plain, reExportsOnly: false }
  // Parse .js files as JSX, because an app's .js file may contain JSX.
  const lang = /\.[cm]?js$/.test(path) ? { lang: 'jsx' as const } : {}
  const { program, comments, errors } = parseSync(path, text, lang)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const body = program.body as unknown as Node[]
  const lineOf = lineCounter(text)
  return {
    ...plain,
    exports: body.flatMap(exportedNames),
    directives: body.flatMap((node) => (typeof node.directive === 'string' ? node.directive : [])),
    imports: findImports(path, body, lineOf),
    mocks: findMocks(body, lineOf),
    callbacks: findCallbacks(body, text, lineOf),
    waits: findWaits(body, text, lineOf),
    asyncFunctions: findAsyncFunctions(body),
    comments: comments.map(({ value, start }) => ({ text: value, line: lineOf(start) })),
    reExportsOnly: body.every(isReExport),
  }
}

function exportedNames(node: Node): string[] {
  if (node.type !== 'ExportNamedDeclaration' || node.source != null) return []
  const declared = node.declaration as Node | null
  if (!declared) return (node.specifiers as Node[]).flatMap(({ exported }) => named(exported))
  const declarators = declared.declarations as Node[] | undefined
  return (declarators ?? [declared]).flatMap(({ id }) => named(id))
}

function named(id: unknown): string[] {
  const name = (id as { name?: unknown } | null | undefined)?.name
  return typeof name === 'string' ? [name] : []
}

function isReExport(node: Node): boolean {
  if (typeof node.directive === 'string') return true
  return /^Export(Named|All)Declaration$/.test(node.type) && node.source != null
}

// Imports and re-exports can be found by their property `source`: `import 'x'`, `export from 'x'`,
// `import('x')` and the type `import('x')` all have one.
function findImports(path: string, body: Node[], lineOf: (offset: number) => number): Import[] {
  const imports: Import[] = []
  walk(body, (node) => {
    const source = node.source as Node | null | undefined
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return
    const specifier = source.value
    const target = specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''))
      : null
    imports.push({ specifier, target, line: lineOf(node.start) })
  })
  return imports
}

// Finds calls of `vi.mock` and `vi.doMock`, with a string or with `import('x')` as argument.
function findMocks(body: Node[], lineOf: (offset: number) => number): Mock[] {
  const mocks: Mock[] = []
  walk(body, (node) => {
    if (node.type !== 'CallExpression' || !isMockFunction(node.callee as Node)) return
    const [module] = node.arguments as Node[]
    const specifier = module?.type === 'ImportExpression' ? (module.source as Node) : module
    if (typeof specifier?.value !== 'string') return
    mocks.push({ specifier: specifier.value, line: lineOf(node.start) })
  })
  return mocks
}

function isMockFunction({ type, object, property }: Node): boolean {
  if (type !== 'MemberExpression' || named(object)[0] !== 'vi') return false
  return /^(mock|doMock)$/.test(named(property)[0] ?? '')
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? Number.POSITIVE_INFINITY) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
