import { type HeadTagKind, headTagKind, metadataMark, replacedTags } from '../../wire/headTags.ts'

/** Holds the name of a `<meta>`, or the `rel` of a `<link>`, while a different tag replaces the tag. */
const replacedMark = 'data-waymark-replaced'

/**
 * Lets tags from components replace tags from the metadata, whenever React changes the head. Call it before
 * React hydrates the document.
 */
export function watchHeadTags({ head }: Document): void {
  // Remove all titles but the first, which React would never remove. A second one is left if a title arrived late.
  for (const title of [...head.querySelectorAll('title')].slice(1)) title.remove()
  const observer = new MutationObserver(() => {
    sortTitles(head)
    replaceTags(head)
    // Ignore the changes that were just made.
    observer.takeRecords()
  })
  observer.observe(head, { childList: true })
}

/**
 * Moves the title of the metadata behind the titles of components, because browsers show the first title. React puts
 * the title that was mounted last in front.
 */
function sortTitles(head: HTMLHeadElement): void {
  const first = head.querySelector(':scope > title')
  if (!first?.hasAttribute(metadataMark)) return
  if (head.querySelector(`:scope > title:not([${metadataMark}])`)) head.append(first)
}

/**
 * Takes away the name of each tag that is replaced. The tag itself must stay, because React throws if it can't remove
 * its element.
 */
function replaceTags(head: HTMLHeadElement): void {
  const tags = [...head.querySelectorAll(':scope > meta, :scope > link')].flatMap((element) => {
    const { attribute, name } = nameOf(element)
    const kind = headTagKind({ type: element.localName, name })
    const isFromMetadata = element.hasAttribute(metadataMark)
    return kind ? [{ element, attribute, name, kind, isFromMetadata } satisfies Tag] : []
  })
  const replaced = new Set(replacedTags(tags))
  for (const tag of tags) setReplaced(tag, replaced.has(tag))
}

type Tag = {
  readonly element: Element
  readonly attribute: string
  readonly name: string | null
  readonly kind: HeadTagKind
  readonly isFromMetadata: boolean
}

function nameOf(element: Element): Pick<Tag, 'attribute' | 'name'> {
  const replaced = element.getAttribute(replacedMark)
  if (replaced !== null) {
    const [attribute = '', name = ''] = replaced.split(' ')
    return { attribute, name }
  }
  const attribute = ['rel', 'name', 'property'].find((each) => element.hasAttribute(each)) ?? ''
  return { attribute, name: element.getAttribute(attribute) }
}

function setReplaced({ element, attribute, name }: Tag, isReplaced: boolean): void {
  if (element.hasAttribute(replacedMark) === isReplaced) return
  if (isReplaced) {
    element.setAttribute(replacedMark, `${attribute} ${name}`)
    element.removeAttribute(attribute)
  } else {
    element.setAttribute(attribute, name ?? '')
    element.removeAttribute(replacedMark)
  }
}
