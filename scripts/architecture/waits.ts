import { type Node, walk } from './syntaxTree.ts'

/** An `await`, or the `await` of a `for await` loop, with its operand. */
export type Wait = {
  /** The awaited expression as it is written, on one line, and cut if it is long. */
  readonly operand: string
  /** Name of the awaited function call, or `null` if the operand is not a call. */
  readonly callee: string | null
  readonly line: number
}

const maxOperand = 72

export function findWaits(
  body: readonly Node[],
  text: string,
  lineOf: (offset: number) => number,
): Wait[] {
  const waits: Wait[] = []
  walk(body, (node) => {
    const awaited = operandOf(node)
    if (awaited === null) return
    const written = text.slice(awaited.start, awaited.end).replace(/\s+/g, ' ')
    waits.push({
      operand: written.length > maxOperand ? `${written.slice(0, maxOperand)}…` : written,
      callee: calleeOf(awaited),
      line: lineOf(node.start),
    })
  })
  return waits
}

/**
 * Finds the names of the async functions that a file declares, at any depth. The waits inside these
 * functions are checked separately.
 */
export function findAsyncFunctions(body: readonly Node[]): string[] {
  const names: string[] = []
  walk(body, ({ type, async: isAsync, id }) => {
    const name = (id as { name?: unknown } | null | undefined)?.name
    if (type === 'FunctionDeclaration' && isAsync === true && typeof name === 'string') {
      names.push(name)
    }
  })
  return names
}

function operandOf(node: Node): Node | null {
  if (node.type === 'AwaitExpression') return node.argument as Node
  return node.type === 'ForOfStatement' && node.await === true ? (node.right as Node) : null
}

function calleeOf(awaited: Node): string | null {
  if (awaited.type === 'ParenthesizedExpression' || awaited.type === 'TSNonNullExpression') {
    return calleeOf(awaited.expression as Node)
  }
  if (awaited.type !== 'CallExpression') return null
  const { name } = awaited.callee as { name?: unknown }
  return typeof name === 'string' ? name : null
}
