import { highlight } from './highlight.ts'
import { mdxElement, replaceElements, type TreeNode, textOf } from './tree.ts'

/**
 * A rehype plugin: makes each fenced block a `<CodeBlock>`, highlighted. Its caption is
 * `title="…"` of the fence, or a first line that is a comment with nothing but a file's path.
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
