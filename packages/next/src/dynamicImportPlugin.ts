import path from 'node:path'
import { type Alias, type ESTree, normalizePath, type Plugin, parseSync, Visitor } from 'vite'
import { tsconfigAliases } from './jsconfigAliases.ts'

/**
 * Lets code import files by computed paths, as in `import('../posts/' + slug + '/chart.js')`. Vite
 * bundles the possible files for a template literal, but leaves concatenated strings as they are.
 * If no file has the path, the error gets the code `MODULE_NOT_FOUND`, which apps check.
 * @param root of the project, absolute
 */
export function dynamicImportPlugin(root: string): Plugin {
  const aliases = tsconfigAliases(root)
  return {
    name: 'next-names:dynamic-imports',
    enforce: 'pre',
    transform: {
      filter: {
        id: { include: /\.(?:[cm]?[jt]sx?|mdx)(?:$|\?)/, exclude: /\/node_modules\// },
        code: /\bimport\s*\((?!\s*['"][^'"]*['"]\s*[,)])/,
      },
      handler(code, id) {
        const changed = withTemplateImports(id.split('?')[0] ?? id, code, aliases)
        return changed === code ? null : { code: changed, map: null }
      },
    },
  }
}

/**
 * @param file absolute path
 * @param aliases aliases that only TypeScript's configuration contains
 * @returns the code, with unchanged line numbers
 */
export function withTemplateImports(
  file: string,
  code: string,
  aliases: readonly Alias[] = [],
): string {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const { program, errors } = parseSync(file, code, { lang })
  if (errors.some(({ severity }) => severity === 'Error')) return code
  const imports: { readonly node: ESTree.ImportExpression; readonly template: string }[] = []
  new Visitor({
    ImportExpression(node) {
      const written = templateOf(node.source, code)
      const template = written && withoutAlias(written, file, aliases)
      // Leave an import inside of another one as it is, because the outer one copies its code.
      if (imports.some((outer) => outer.node.end >= node.end)) return
      if (template !== null && /^[./@~#]/.test(template) && template.includes('${'))
        imports.push({ node, template })
    },
  }).visit(program)
  if (imports.length === 0) return code
  const replaced = imports
    .toSorted((one, other) => other.node.start - one.node.start)
    .reduce((text, { node, template }) => {
      const { source, start, end } = node
      const call = `${text.slice(start, source.start)}\`${template}\`${text.slice(source.end, end)}`
      return `${text.slice(0, start)}${call}.catch(${rejectMissing})${text.slice(end)}`
    }, code)
  return `${replaced}\nimport { ${rejectMissing} } from 'next/internal/dynamic-import'\n`
}

/** Replaces an alias such as `@/` with a relative path, because Vite has no such alias. */
function withoutAlias(template: string, file: string, aliases: readonly Alias[]): string {
  if (/^[./]/.test(template)) return template
  const end = template.indexOf('${')
  const fixed = template.slice(0, Math.max(end, 0))
  const alias = aliases.find(({ find }) => find instanceof RegExp && find.test(fixed))
  if (alias === undefined) return template
  // A path that ends with a slash loses it in `path.relative`.
  const target = `${fixed.replace(alias.find, alias.replacement)}x`
  const relative = normalizePath(path.relative(path.dirname(file), target)).slice(0, -1)
  return `${relative.startsWith('.') ? '' : './'}${relative}${template.slice(end)}`
}

const rejectMissing = '__nextRejectMissing'

/**
 * Converts an expression that creates a string to the content of a template literal.
 * @returns `null` if no part of the expression is a fixed string
 */
function templateOf(node: ESTree.Expression, code: string): string | null {
  if (node.type === 'TemplateLiteral') return code.slice(node.start + 1, node.end - 1)
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null
  const parts = partsOf(node)
  if (!parts.some(isText)) return null
  return parts.map((part) => textOf(part, code)).join('')
}

/** Returns the operands of nested `+` expressions, from left to right. */
function partsOf(node: ESTree.Node): ESTree.Node[] {
  return node.type === 'BinaryExpression' && node.operator === '+'
    ? [...partsOf(node.left), ...partsOf(node.right)]
    : [node]
}

function isText(node: ESTree.Node): boolean {
  return (
    node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
  )
}

function textOf(node: ESTree.Node, code: string): string {
  if (node.type === 'TemplateLiteral') return code.slice(node.start + 1, node.end - 1)
  if (node.type === 'Literal') return String(node.value).replace(/[`\\]|\$\{/g, '\\$&')
  return `\${${code.slice(node.start, node.end)}}`
}
