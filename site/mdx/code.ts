import { highlight } from './highlight.ts'
import { mdxElement, replaceElements, type TreeNode, textOf } from './tree.ts'

/**
 * A rehype plugin that turns each fenced block into a highlighted `<CodeBlock>`. The caption is the
 * `title="…"` of the fence, or the path in the first line if that is a comment with a path only.
 */
export function rehypeCode() {
  return async (tree: TreeNode): Promise<void> => {
    const pending: Promise<void>[] = []
    replaceElements(tree, (element) => {
      const code = element.tagName === 'pre' ? element.children?.[0] : undefined
      if (code?.tagName !== 'code') return null
      const block = mdxElement('CodeBlock', {})
      pending.push(fill(block, code))
      return block
    })
    await Promise.all(pending)
  }
}

async function fill(block: TreeNode, code: TreeNode): Promise<void> {
  const language = languageOf(code)
  const { caption, text } = captioned(textOf(code).replace(/\n$/, ''), code.data?.meta ?? '')
  const props = { language, html: await highlight(text, language), ...(caption && { caption }) }
  block.attributes = mdxElement('CodeBlock', props).attributes ?? []
}

function languageOf({ properties }: TreeNode): string {
  const classes = properties?.className
  const names = Array.isArray(classes) ? classes.map(String) : []
  return names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? 'text'
}

const pathComment = /^(?:\/\/|#|\/\*|<!--)\s*([\w@()[\]./-]*\.[\w.]+)\s*(?:\*\/|-->)?\n/

function captioned(source: string, meta: string): { caption: string | null; text: string } {
  const title = /\btitle="([^"]*)"/.exec(meta)?.[1]
  if (title !== undefined) return { caption: title, text: source }
  const comment = pathComment.exec(source)
  if (!comment) return { caption: null, text: source }
  return { caption: comment[1] ?? null, text: source.slice(comment[0].length).replace(/^\n+/, '') }
}
