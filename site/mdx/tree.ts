/** The part of an HTML syntax tree (hast) that the site's plugins read and write. */
export type TreeNode = {
  type: string
  tagName?: string
  /** Name of an MDX element. */
  name?: string
  value?: string
  properties?: Record<string, unknown>
  /** Attributes of an MDX element. */
  attributes?: { type: 'mdxJsxAttribute'; name: string; value: string }[]
  /** Text after the language of a code block. */
  data?: { meta?: string | null }
  children?: TreeNode[]
}

/** Visits a tree's elements from the top, and replaces each element with the result of `visit`. */
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

/** Returns the text of a node and its descendants. */
export function textOf(node: TreeNode): string {
  return node.value ?? node.children?.map(textOf).join('') ?? ''
}

/** Creates an HTML element. */
export function elementOf(
  tagName: string,
  properties: Record<string, unknown>,
  children: TreeNode[],
): TreeNode {
  return { type: 'element', tagName, properties, children }
}

/** Creates an MDX element, a component with string props. */
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
