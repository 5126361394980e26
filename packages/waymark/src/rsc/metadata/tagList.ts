import type { ReactElement } from 'react'
import { jsx } from 'react/jsx-runtime'
import type { Many } from '../../shared/metadataValues.ts'
import { isLinkable } from './values.ts'

type Content = string | number | boolean | URL | null | undefined

/** The content of a meta tag, or of one for each; those without content are left out. */
export type TagContent = Many<Content>

/** Collects the elements of a document's head. */
export type TagList = ReturnType<typeof createTagList>

/**
 * Creates an empty list. Keys are names, so that after a navigation React changes a tag in place
 * when both pages have it; a name that comes again gets a number.
 */
export function createTagList() {
  const elements: ReactElement[] = []
  const counts = new Map<string, number>()

  function add(name: string, type: 'meta' | 'link' | 'title', props: object): void {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    const key = count === 0 ? name : `${name} ${count}`
    elements.push(jsx(type, props, key))
  }
  const meta = (attribute: 'name' | 'property') => (name: string, content: TagContent) => {
    for (const value of listOf(content)) {
      if (hasContent(value)) add(name, 'meta', { [attribute]: name, content: String(value) })
    }
  }
  return {
    elements,
    /** Adds an element as it is; its key is made of the name. */
    add,
    /** Adds `<meta name>`. */
    name: meta('name'),
    /** Adds `<meta property>`, as Open Graph wants it. */
    property: meta('property'),
    /** Adds `<link>`, unless its URL is script; attributes without a value are left out. */
    link(rel: string, hrefs: TagContent, attributes: Readonly<Record<string, Content>> = {}): void {
      const present = Object.entries(attributes).filter(([, value]) => hasContent(value))
      for (const value of listOf(hrefs)) {
        const href = String(value)
        if (!hasContent(value) || !isLinkable(href)) continue
        add(rel, 'link', { rel, href, ...Object.fromEntries(present) })
      }
    },
  }
}

function hasContent(content: Content): boolean {
  return content !== null && content !== undefined && content !== ''
}

/** A list of one or many. */
export function listOf<T>(value: Many<T>): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}
