import { type HeadTagKind, headTagKind, metadataMark, replacedTags } from '../wire/headTags.ts'

type Tag = {
  readonly kind: HeadTagKind
  readonly isFromMetadata: boolean
  readonly html: string
  readonly index: number
}

/**
 * Removes the tags of the head that other tags replace, because browsers and crawlers read the first title, and may
 * ignore contradictory tags.
 * @param html contains the whole head
 */
export function withoutReplacedTags(html: string): string {
  const tags = readTags(html)
  const replaced = new Set(replacedTags(tags))
  const changed = tags.filter((tag) => replaced.has(tag) || isMarkedTitle(tag))
  let result = ''
  let end = 0
  for (const tag of changed) {
    result += html.slice(end, tag.index)
    // Remove the mark of a title, so that simple programs find `<title>`. React adds the mark again when it hydrates.
    if (!replaced.has(tag)) result += tag.html.replace(markAttribute, '')
    end = tag.index + tag.html.length
  }
  return result + html.slice(end)
}

// Matches a tag of the head and the end of the head. React escapes `<`, `>` and `"` in texts and attributes.
const headToken = /<(title|meta|link|script|style|noscript|template)\b[^<>]*>|<\/head>/g

const nameAttribute = /\s(?:name|property|rel)="([^"]*)"/
const markAttribute = ` ${metadataMark}=""`

function readTags(html: string): Tag[] {
  const tags: Tag[] = []
  headToken.lastIndex = 0
  for (let match = headToken.exec(html); match; match = headToken.exec(html)) {
    const { 0: token, 1: type, index } = match
    if (type === undefined) return tags
    const isVoid = type === 'meta' || type === 'link'
    // Skip the content of an element, because a script or style may contain anything.
    const end = isVoid ? index + token.length : endOf(type, html, index)
    headToken.lastIndex = end
    const kind = headTagKind({ type, name: isVoid ? nameAttribute.exec(token)?.[1] : null })
    if (!kind) continue
    const isFromMetadata = token.includes(markAttribute)
    tags.push({ kind, isFromMetadata, html: html.slice(index, end), index })
  }
  return tags
}

function endOf(type: string, html: string, start: number): number {
  const close = html.indexOf(`</${type}`, start)
  const end = close === -1 ? -1 : html.indexOf('>', close)
  return end === -1 ? html.length : end + 1
}

function isMarkedTitle({ kind, isFromMetadata }: Tag): boolean {
  return kind.name === 'title' && isFromMetadata
}

// This script is always the same, so that a policy can allow it by hash. It moves a title into the head, because
// browsers show the first title of a document. When React hydrates the title's component, it finds the title there.
const moveTitle =
  '{let s=document.currentScript;document.head.prepend(s.previousSibling);s.remove()}'

/** Adds a script after each title that arrives after the head was sent. @param html only tags for the head */
export function withMovedTitles(html: string, nonceAttribute: string): string {
  return html.replaceAll('</title>', `</title><script${nonceAttribute}>${moveTitle}</script>`)
}
