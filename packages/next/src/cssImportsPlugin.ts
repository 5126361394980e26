import path from 'node:path'
import type { Alias, Plugin } from 'vite'
import { readManifest } from './installedPackages.ts'

/**
 * Moves the imports of a Tailwind style sheet to its top. Tailwind accepts imports anywhere, but
 * Vite runs first and inlines only imports at the top. Also resolves imports such as `~kit/a.css`
 * in all style sheets.
 * @param root of the project, absolute
 */
export function cssImportsPlugin(root: string): Plugin {
  return {
    name: 'next-names:css-imports',
    enforce: 'pre',
    config: () => ({ resolve: { alias: tildeAliases(root) } }),
    transform: {
      filter: { id: /\.css(?:$|\?)/, code: { include: /@import\b/ } },
      handler(code) {
        const sorted = tailwindRule.test(code) ? withImportsFirst(code) : code
        return sorted === code ? null : { code: sorted, map: null }
      },
    },
  }
}

/**
 * webpack refers to packages as `~kit/a.css`. The app's own paths may also start with a tilde, so
 * only dependencies get an alias.
 */
function tildeAliases(root: string): Alias[] {
  const { dependencies, devDependencies } = readManifest(path.join(root, 'package.json'))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  if (names.length === 0) return []
  const any = names.map((name) => name.replaceAll('.', '\\.')).join('|')
  return [{ find: new RegExp(`^~(?=(?:${any})(?:/|$))`), replacement: '' }]
}

const tailwindRule =
  /@(?:apply|config|custom-variant|plugin|reference|source|tailwind|theme|utility|variant)\b/

/**
 * Matches everything that may precede an import: comments, white space, other imports and layer
 * names.
 */
const leading =
  /^(?:\s|\/\*[\s\S]*?\*\/|@(?:charset|import|layer)\b(?:"[^"]*"|'[^']*'|url\([^)]*\)|[^{;"'])*;)*$/

/**
 * Moves misplaced imports up, after those that are already at the top. All other lines keep their
 * numbers.
 */
export function withImportsFirst(code: string): string {
  const imports = topLevelImports(code)
  const isFirst = ({ start }: Statement) => leading.test(code.slice(0, start))
  const misplaced = imports.filter((each) => !isFirst(each))
  if (misplaced.length === 0) return code
  const end = imports.filter(isFirst).at(-1)?.end ?? 0
  const moved = misplaced.map((each) => code.slice(each.start, each.end)).join('')
  let rest = code.slice(end)
  for (const each of misplaced.toReversed()) {
    const text = code.slice(each.start, each.end)
    rest = rest.slice(0, each.start - end) + text.replace(/[^\n]/g, '') + rest.slice(each.end - end)
  }
  return code.slice(0, end) + moved + rest
}

type Statement = { readonly start: number; readonly end: number }

const token = /\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^"')]*\)|@import\b|[{};]/g

function topLevelImports(code: string): Statement[] {
  const statements: Statement[] = []
  let depth = 0
  let start = -1
  for (const { 0: text, index } of code.matchAll(token)) {
    if (text === '{') depth += 1
    else if (text === '}') depth -= 1
    else if (text === '@import' && depth === 0) start = index
    else if (text === ';' && start !== -1) {
      statements.push({ start, end: index + 1 })
      start = -1
    }
  }
  return statements
}
