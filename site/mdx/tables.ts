import { elementOf, replaceElements, type TreeNode, textOf } from './tree.ts'

/** With so many columns, the cells of a row say nothing without the heads above them. */
const wideColumns = 4

/**
 * A rehype plugin: puts wide tables into a region that scrolls, by keyboard, too. On narrow
 * screens the rows of other tables are stacked.
 */
export function rehypeTables() {
  return (tree: TreeNode): void => {
    replaceElements(tree, (element) => {
      if (element.tagName !== 'table') return null
      const heads = elementsNamed('th', element)
      if (heads.length < wideColumns) return null
      const ariaLabel = `Table: ${heads.map(textOf).filter(Boolean).join(', ')}`
      return elementOf('section', { className: 'wide scroll-edges', ariaLabel, tabIndex: 0 }, [
        element,
      ])
    })
  }
}

function elementsNamed(tagName: string, { children = [] }: TreeNode): TreeNode[] {
  return children.flatMap((child) =>
    child.tagName === tagName ? [child] : elementsNamed(tagName, child),
  )
}
