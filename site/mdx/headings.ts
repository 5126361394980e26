import { readFileSync } from 'node:fs'
import { englishFileOf, languageOfFile, type MdxFile } from './language.ts'
import { markdownOf } from './markdown.mjs'
import { headingIds, uniqueId } from './sections.ts'
import { elementOf, replaceElements, type TreeNode, textOf } from './tree.ts'

const allTexts = {
  en: { contents: 'On this page', link: (heading: string) => `Link to “${heading}”` },
  de: { contents: 'Auf dieser Seite', link: (heading: string) => `Link zu „${heading}“` },
}

/**
 * A rehype plugin that gives each heading of the second and third level an id and a link to itself.
 * The plugin also adds a list of the second-level headings after the title.
 */
export function rehypeHeadings() {
  return (tree: TreeNode, file: MdxFile): void => {
    const texts = allTexts[languageOfFile(file)]
    const usedIds = new Map<string, number>()
    const englishIds = englishIdsOf(file)
    const entries: { id: string; text: string }[] = []
    replaceElements(tree, (element) => {
      if (element.tagName !== 'h2' && element.tagName !== 'h3') return null
      const text = textOf(element)
      const id = englishIds.shift() ?? uniqueId(text, usedIds)
      if (element.tagName === 'h2') entries.push({ id, text })
      return heading(element, { id, label: texts.link(text) })
    })
    const titleAt = tree.children?.findIndex(({ tagName }) => tagName === 'h1') ?? -1
    if (entries.length > 1 && titleAt !== -1)
      tree.children?.splice(titleAt + 1, 0, contents(entries, texts.contents))
  }
}

/**
 * Returns the ids of the English page's headings if the page is German. Both pages have the same ids, so
 * a link to a heading doesn't depend on the language.
 */
function englishIdsOf(file: MdxFile): string[] {
  const english = englishFileOf(file)
  return english === null ? [] : headingIds(markdownOf(readFileSync(english, 'utf8')).markdown)
}

type HeadingLink = { readonly id: string; readonly label: string }

function heading(element: TreeNode, { id, label }: HeadingLink): TreeNode {
  const anchor: TreeNode = {
    type: 'element',
    tagName: 'a',
    properties: { className: 'anchor', href: `#${id}`, ariaLabel: label },
    children: [{ type: 'text', value: '#' }],
  }
  return {
    ...element,
    properties: { ...element.properties, id },
    children: [...(element.children ?? []), { type: 'text', value: ' ' }, anchor],
  }
}

function contents(entries: readonly { id: string; text: string }[], label: string): TreeNode {
  const items = entries.map(({ id, text }) =>
    elementOf('li', {}, [elementOf('a', { href: `#${id}` }, [{ type: 'text', value: text }])]),
  )
  return elementOf('nav', { className: 'contents', ariaLabel: label }, [
    elementOf('p', {}, [{ type: 'text', value: label }]),
    elementOf('ul', {}, items),
  ])
}
