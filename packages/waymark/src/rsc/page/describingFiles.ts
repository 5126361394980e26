import type { MatchedFolder, MatchedSegment } from '../../routing/matchedSegments.ts'
import { renderedFile } from './routeModules.ts'
import type { RenderedSegments } from './segments.ts'

/** A layout or page that describes the document. */
export type DescribingFile = {
  readonly segment: MatchedSegment
  readonly path: string
  /** The one that it stands in. */
  readonly above: DescribingFile | null
  /** In a slot beside the main line. */
  readonly isBeside: boolean
}

/**
 * The layouts and pages that describe the document, over the whole tree. Slots come before the main
 * line, which has the last word; a page over another one has it in place of that.
 */
export function describingFiles(
  segment: MatchedSegment,
  rendered: Pick<RenderedSegments, 'guardOf'>,
  { above, isBeside }: Pick<DescribingFile, 'above' | 'isBeside'> = {
    above: null,
    isBeside: false,
  },
): DescribingFile[] {
  // Whether this request may see the page behind an interception is not known; a slot that shows a
  // fallback has no guard, and nothing to say.
  if (rendered.guardOf(segment) === undefined) return []
  const path = renderedFile(segment)
  const images = (segment.kind === 'folder' && segment.node.images) || []
  const files: DescribingFile[] = []
  // What a layout says of the images of its folder comes after them, and wins.
  for (const each of path ? [...images, path] : images) {
    files.push({ segment, path: each, above: files.at(-1) ?? above, isBeside })
  }
  if (segment.kind !== 'folder') return files
  const main = mainSlot(segment)
  const within = files.at(-1) ?? above
  const others = Object.values(segment.slots).filter((slot) => slot !== main && !slot.background)
  for (const slot of others) {
    files.push(...describingFiles(slot, rendered, { above: within, isBeside: true }))
  }
  if (main) files.push(...describingFiles(main, rendered, { above: within, isBeside }))
  return files
}

/** The slot that the document is about: `children`, or the one that shows a page over it. */
function mainSlot({ slots }: MatchedFolder): MatchedSegment | undefined {
  const { children, ...others } = slots
  if (!children?.background) return children
  return (
    Object.values(others).find((slot) => !slot.background && slot.kind !== 'default') ?? children
  )
}

/** The files of a tree down to the first ones that are not in front. */
export function frontOf(
  files: readonly DescribingFile[],
  isIn: (file: DescribingFile) => boolean,
): DescribingFile[] {
  const front = new Set<DescribingFile>()
  for (const file of files) {
    if ((file.above === null || front.has(file.above)) && isIn(file)) front.add(file)
  }
  return [...front]
}
