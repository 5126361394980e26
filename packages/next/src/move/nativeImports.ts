import { type ESTree, Visitor } from 'vite'
import type { ImportedName, NextImport, SourceFacts } from './plan.ts'

/**
 * Exports of `next` that Waymark has, too, with the same meaning. All others are still imported
 * from `next`.
 */
const nativeNames: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  next: named('waymark', [
    'Metadata',
    'Viewport',
    'ResolvedMetadata',
    'ResolvedViewport',
    'ResolvingMetadata',
    'ResolvingViewport',
  ]),
  'next/link': { default: ['waymark', 'Link'] },
  'next/navigation': {
    ...named('waymark', ['redirect', 'permanentRedirect', 'notFound', 'forbidden', 'unauthorized']),
    ...named('waymark/client', [
      'useRouter',
      'usePathname',
      'useSearchParams',
      'useParams',
      'useSelectedLayoutSegment',
      'useSelectedLayoutSegments',
    ]),
  },
  'next/headers': named('waymark/server', ['cookies', 'headers', 'draftMode']),
  'next/server': named('waymark/server', ['after', 'connection']),
  'next/cache': named('waymark/server', [
    'revalidatePath',
    'updateTag',
    'refresh',
    'cacheTag',
    'cacheLife',
  ]),
}

function named(
  module: string,
  names: readonly string[],
): Record<string, readonly [string, string]> {
  return Object.fromEntries(names.map((name) => [name, [module, name]]))
}

/** Props that only `next/link` supports. */
const linkProps = new Set(['as', 'legacyBehavior', 'locale', 'passHref', 'shallow', 'onNavigate'])

/**
 * Replaces imports from `next` with imports from Waymark, if Waymark has an equivalent export and
 * supports the way in which the file uses it.
 */
export function writeNativeImports(code: string, { imports, program }: SourceFacts): string {
  const foreign = usedAsNextOnly(program)
  const edits = imports.flatMap((each) => {
    const text = writeImport(code, each, foreign)
    return text === null ? [] : [{ start: each.start, end: each.end, text }]
  })
  return edits.reduceRight(
    (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
    code,
  )
}

type Target = ImportedName & { readonly from: string }

/** @returns the new import; `null` if the import doesn't change */
function writeImport(
  code: string,
  { module, start, end, names }: NextImport,
  foreign: ReadonlySet<string>,
): string | null {
  const targets = names.map((each): Target => {
    const [from, name] = (foreign.has(each.local) ? null : nativeNames[module]?.[each.name]) ?? [
      module,
      each.name,
    ]
    return { ...each, from, name }
  })
  if (targets.every(({ from }) => from === module)) return null
  const declaration = code.slice(start, end)
  const quote = declaration.includes("'") ? "'" : '"'
  const close = declaration.endsWith(';') ? ';' : ''
  const isType = /^import\s+type\b/.test(declaration)
  return [...new Set(targets.map(({ from }) => from))]
    .map((from) => {
      const clause = writeClause(
        targets.filter((each) => each.from === from),
        isType,
      )
      return `import ${isType ? 'type ' : ''}${clause} from ${quote}${from}${quote}${close}`
    })
    .join('\n')
}

function writeClause(names: readonly Target[], isType: boolean): string {
  const defaults = names.filter(({ name }) => name === 'default').map(({ local }) => local)
  const others = names.filter(({ name }) => name !== 'default')
  const listed = others.map(({ name, local, isType: isTypeSpecifier }) => {
    const renamed = name === local ? name : `${name} as ${local}`
    return isTypeSpecifier && !isType ? `type ${renamed}` : renamed
  })
  return [...defaults, ...(listed.length > 0 ? [`{ ${listed.join(', ')} }`] : [])].join(', ')
}

/**
 * Returns the local names that are used in a way that only `next` supports: links with special
 * props or a URL object, and redirects with a second argument.
 */
function usedAsNextOnly(program: ESTree.Program): Set<string> {
  const names = new Set<string>()
  new Visitor({
    JSXOpeningElement({ name, attributes }) {
      if (name.type === 'JSXIdentifier' && attributes.some(isNextOnly)) names.add(name.name)
    },
    CallExpression({ callee, arguments: args }) {
      if (callee.type === 'Identifier' && args.length > 1) names.add(callee.name)
    },
  }).visit(program)
  return names
}

function isNextOnly(attribute: ESTree.JSXAttributeItem): boolean {
  // Spread props may contain props that only `next/link` supports.
  if (attribute.type !== 'JSXAttribute') return true
  const { name, value } = attribute
  if (name.type !== 'JSXIdentifier') return false
  if (linkProps.has(name.name) || name.name === 'prefetch') return true
  return (
    name.name === 'href' &&
    value?.type === 'JSXExpressionContainer' &&
    value.expression.type === 'ObjectExpression'
  )
}
