import { type ESTree, parseAstAsync } from 'vite'

export type ImportExpression = {
  readonly start: number
  readonly end: number
  readonly source: string
}

/**
 * Finds each `import()` of a string literal without options.
 *
 * @param code JavaScript
 */
export async function importExpressions(code: string): Promise<ImportExpression[]> {
  const expressions: ImportExpression[] = []
  collect(await parseAstAsync(code), expressions)
  return expressions
}

function collect(node: unknown, expressions: ImportExpression[]): void {
  if (typeof node !== 'object' || node === null) return
  const expression = node as ESTree.ImportExpression
  if (expression.type === 'ImportExpression' && !expression.options) {
    const { source, start, end } = expression
    const path = textOf(source)
    if (path !== null) expressions.push({ start, end, source: path })
  }
  for (const child of Object.values(node)) collect(child, expressions)
}

/**
 * Returns the value of a string literal. It may be a template, because minifiers write some strings
 * as templates.
 */
function textOf(node: ESTree.Expression): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return null
  return node.quasis[0]?.value.cooked ?? null
}

/**
 * Replaces imports in the code with the results of `write`.
 *
 * @returns `null` if there are no imports
 */
export function replaceImports(
  code: string,
  imports: readonly ImportExpression[],
  write: (text: string, source: string) => string,
): string | null {
  if (imports.length === 0) return null
  let written = code
  for (const { start, end, source } of imports.toSorted((one, other) => other.start - one.start)) {
    written =
      written.slice(0, start) + write(written.slice(start, end), source) + written.slice(end)
  }
  return written
}
