import { parse } from 'vite'

export type ImportExpression = {
  readonly start: number
  readonly end: number
  readonly source: string
}

/**
 * Finds each `import()` of a string literal without options. Reads the parser's list of imports,
 * because creating the syntax tree of a chunk in JavaScript takes seven times as long as parsing.
 *
 * @param code JavaScript
 * @throws if the code has a syntax error
 */
export async function importExpressions(code: string): Promise<ImportExpression[]> {
  const { errors, module } = await parse('module.js', code, { lang: 'js' })
  if (errors[0]) throw new SyntaxError(errors[0].message)
  return module.dynamicImports.flatMap(({ start, end, moduleRequest }) => {
    const source = textOf(code.slice(moduleRequest.start, moduleRequest.end))
    const hasOptions = /,\s*[^\s)]/.test(code.slice(moduleRequest.end, end))
    return source === null || hasOptions ? [] : [{ start, end, source }]
  })
}

/**
 * Returns the value of a string literal without escapes. It may be a template, because minifiers
 * write some strings as templates.
 */
function textOf(literal: string): string | null {
  const [, , text = null] = /^(['"`])((?:(?!\1|\\|\$\{).)*)\1$/.exec(literal) ?? []
  return text
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
