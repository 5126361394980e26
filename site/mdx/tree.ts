/** The parts of an HTML tree (hast) that the plugins here read and write. */
export type TreeNode = {
  type: string
  tagName?: string
  /** Of an MDX element. */
  name?: string
  value?: string
  properties?: Record<string, unknown>
  /** Of an MDX element. */
  attributes?: { type: 'mdxJsxAttribute'; name: string; value: string }[]
  /** What the author wrote after the language of a code block. */
  data?: { meta?: string | null }
  children?: TreeNode[]
}

/** Visits the elements of a tree from the top; what `visit` returns takes an element's place. */
export function replaceElements(
  parent: TreeNode,
  visit: (element: TreeNode) => TreeNode | null,
): void {
  parent.children?.forEach((child, index) => {
    const replacement = child.type === 'element' ? visit(child) : null
    if (replacement) parent.children?.splice(index, 1, replacement)
    else replaceElements(child, visit)
  })
}

/** The text of a node and of all below it. */
export function textOf(node: TreeNode): string {
  return node.value ?? node.children?.map(textOf).join('') ?? ''
}

/** An element of HTML. */
export function elementOf(
  tagName: string,
  properties: Record<string, unknown>,
  children: TreeNode[],
): TreeNode {
  return { type: 'element', tagName, properties, children }
}

/** An element of MDX: a component by name, with string props. */
export function mdxElement(
  name: string,
  props: Readonly<Record<string, string>>,
  children: TreeNode[] = [],
): TreeNode {
  const attributes = Object.entries(props).map(
    ([name, value]) => ({ type: 'mdxJsxAttribute', name, value }) as const,
  )
  return { type: 'mdxJsxFlowElement', name, attributes, children }
}
