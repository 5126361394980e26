import type { ReactElement } from 'react'
import { jsx } from 'react/jsx-runtime'
import type { Many } from '../../shared/metadataValues.ts'
import { isLinkable } from './values.ts'

/** The content of a meta tag; one without content is left out. */
export type TagContent = string | number | boolean | URL | null | undefined

/** Attributes of a link beside `rel` and `href`; those without a value are left out. */
export type LinkAttributes = Readonly<Record<string, TagContent>>

/** Collects the elements of a document's head. */
export type TagList = {
  readonly elements: ReactElement[]
  /** Adds an element as it is; its key is made of the name. */
  add(name: string, type: 'meta' | 'link' | 'title', props: Record<string, unknown>): void
  /** Adds `<meta name>`. */
  name(name: string, content: TagContent): void
  /** Adds `<meta property>`, as Open Graph wants it. */
  property(property: string, content: TagContent): void
  /** Adds `<link>`, unless its URL is script. */
  link(rel: string, href: string | URL, attributes?: LinkAttributes): void
}

/**
 * Creates an empty list. Keys are names, so that after a navigation React changes a tag in place
 * when both pages have it; a name that comes again gets a number.
 */
export function createTagList(): TagList {
  const elements: ReactElement[] = []
  const counts = new Map<string, number>()
  const add: TagList['add'] = (name, type, props) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    const key = count === 0 ? name : `${name} ${count}`
    elements.push(jsx(type, props, key))
  }
  const meta = (attribute: string, name: string, content: TagContent) => {
    if (hasContent(content)) add(name, 'meta', { [attribute]: name, content: String(content) })
  }
  return {
    elements,
    add,
    name: (name, content) => meta('name', name, content),
    property: (property, content) => meta('property', property, content),
    link: (rel, href, attributes) => {
      const url = String(href)
      if (url === '' || !isLinkable(url)) return
      add(rel, 'link', { rel, href: url, ...present(attributes) })
    },
  }
}

function hasContent(content: TagContent): boolean {
  return content !== null && content !== undefined && content !== ''
}

function present(attributes: LinkAttributes = {}): Record<string, TagContent> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => hasContent(value)))
}

/** A list of one or many. */
export function listOf<T>(value: Many<T>): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}
