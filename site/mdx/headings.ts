import { elementOf, replaceElements, type TreeNode, textOf } from './tree.ts'

/**
 * A rehype plugin that gives each heading of the second and third level an id and a link to itself.
 * The plugin also adds a list of the second-level headings after the title.
 */
export function rehypeHeadings() {
  return (tree: TreeNode): void => {
    const usedIds = new Map<string, number>()
    const entries: { id: string; text: string }[] = []
    replaceElements(tree, (element) => {
      if (element.tagName !== 'h2' && element.tagName !== 'h3') return null
      const text = textOf(element)
      const id = uniqueId(text, usedIds)
      if (element.tagName === 'h2') entries.push({ id, text })
      return heading(element, id, text)
    })
    const titleAt = tree.children?.findIndex(({ tagName }) => tagName === 'h1') ?? -1
    if (entries.length > 1 && titleAt !== -1)
      tree.children?.splice(titleAt + 1, 0, contents(entries))
  }
}

function heading(element: TreeNode, id: string, text: string): TreeNode {
  const anchor: TreeNode = {
    type: 'element',
    tagName: 'a',
    properties: { className: 'anchor', href: `#${id}`, ariaLabel: `Link to “${text}”` },
    children: [{ type: 'text', value: '#' }],
  }
  return {
    ...element,
    properties: { ...element.properties, id },
    children: [...(element.children ?? []), { type: 'text', value: ' ' }, anchor],
  }
}

function contents(entries: readonly { id: string; text: string }[]): TreeNode {
  const items = entries.map(({ id, text }) =>
    elementOf('li', {}, [elementOf('a', { href: `#${id}` }, [{ type: 'text', value: text }])]),
  )
  return elementOf('nav', { className: 'contents', ariaLabel: 'On this page' }, [
    elementOf('p', {}, [{ type: 'text', value: 'On this page' }]),
    elementOf('ul', {}, items),
  ])
}

/**
 * Returns an id for a heading that no other heading of the page has.
 * @param usedIds ids that the page has used so far, with the number of headings for each id
 */
export function uniqueId(text: string, usedIds: Map<string, number>): string {
  const slug =
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'section'
  const count = usedIds.get(slug) ?? 0
  usedIds.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count + 1}`
}
