import type { ReactElement } from 'react'
import type { MatchedSegment } from '../routing/matched.ts'
import type { ResolveMetadata } from './metadata/resolve.ts'
import type { MetadataProps } from './metadata/source.ts'
import type { RouteFile } from './routeModules.ts'

/** Title, metadata and links of a page; React hoists them into the document's head. */
export type Head = readonly ReactElement[]

/** What the head of a page is made for. */
export type HeadRequest = {
  readonly root: MatchedSegment
  readonly fileOf: (path: string) => RouteFile
  /** `null` when it is not known, as while prerendering. */
  readonly origin: string | null
  readonly pathname: string
  readonly searchParams: Promise<Record<string, string | string[]>>
}

/**
 * Makes the head of a page, from its layouts and its own file.
 * @returns a promise only when one of them has a function for it
 */
export function renderHead(request: HeadRequest, resolve: ResolveMetadata): Head | Promise<Head> {
  const { root, fileOf, origin, pathname, searchParams } = request
  const line = mainLine(root)
  const propsOf = (index: number): MetadataProps => {
    const segment = line[index]?.segment
    const params = Promise.resolve(segment?.params ?? {})
    return segment?.kind === 'folder' ? { params } : { params, searchParams }
  }
  const files = line.map(({ path }) => fileOf(path))
  const head = resolve(files, { origin, pathname, propsOf })
  return head instanceof Promise ? head.then(({ tags }) => tags) : head.tags
}

type LineFile = { readonly segment: MatchedSegment; readonly path: string }

/** The layouts and the page of the main line, from the root down. */
function mainLine(root: MatchedSegment): LineFile[] {
  const files: LineFile[] = []
  let segment: MatchedSegment | undefined = root
  while (segment) {
    const path = segment.kind === 'folder' ? segment.node.files.layout : segment.page
    if (path) files.push({ segment, path })
    segment = segment.kind === 'folder' ? segment.slots.children : undefined
  }
  return files
}
