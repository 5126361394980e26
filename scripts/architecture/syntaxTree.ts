export type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** Visits all nodes within a value, parents before their children. */
export function walk(
  value: unknown,
  visit: (node: Node, parent: Node | null) => void,
  parent: Node | null = null,
) {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit, parent)
    return
  }
  if (value === null || typeof value !== 'object') return
  const node = value as Node
  const isNode = typeof node.type === 'string'
  if (isNode) visit(node, parent)
  for (const child of Object.values(node)) walk(child, visit, isNode ? node : parent)
}
