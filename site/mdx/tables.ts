import { languageOfFile, type MdxFile } from './language.ts'
import { elementOf, replaceElements, type TreeNode, textOf } from './tree.ts'

/**
 * Tables with at least this many columns scroll. Their cells aren't stacked, because readers would miss
 * the column headings.
 */
const wideColumns = 4

/**
 * A rehype plugin that puts wide tables into a scrollable region, which also works with a keyboard. On
 * narrow screens, the cells of other tables are stacked.
 */
export function rehypeTables() {
  return (tree: TreeNode, file: MdxFile): void => {
    const label = languageOfFile(file) === 'de' ? 'Tabelle' : 'Table'
    replaceElements(tree, (element) => {
      if (element.tagName !== 'table') return null
      const heads = elementsNamed('th', element)
      if (heads.length < wideColumns) return null
      const ariaLabel = `${label}: ${heads.map(textOf).filter(Boolean).join(', ')}`
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
