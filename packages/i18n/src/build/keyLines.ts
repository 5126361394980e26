import { type ESTree, parseAst } from 'vite'

/**
 * Returns a function that finds the line of a key in a JSON file.
 * @param text JSON
 */
export function createKeyLines(text: string): (names: readonly string[]) => number {
  const lines = new Map<string, number>()
  let line = 1
  let countedTo = 0

  function lineOf(offset: number): number {
    for (; countedTo < offset; countedTo++) if (text[countedTo] === '\n') line++
    return line
  }

  function visit(node: ESTree.Node | undefined, above: readonly string[]): void {
    if (node?.type !== 'ObjectExpression') return
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Literal') continue
      const names = [...above, String(property.key.value)]
      // The offset counts the parenthesis that makes the object an expression.
      lines.set(JSON.stringify(names), lineOf(property.start - 1))
      visit(property.value, names)
    }
  }

  const [statement] = parseAst(`(${text})`, { preserveParens: false }).body
  if (statement?.type === 'ExpressionStatement') visit(statement.expression, [])
  return (names) => lines.get(JSON.stringify(names)) ?? 1
}
