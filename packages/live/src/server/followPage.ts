import { randomUUID } from 'node:crypto'
import type { FollowPage } from 'waymark/plugin'
import { writeRow } from '../shared/subscriptionRow.ts'
import type { Clock } from './clock.ts'
import { tell } from './liveChannel.ts'
import { allReads, followedTags, named } from './liveTags.ts'
import type { OwnerOf, Seal } from './subscription.ts'

/** Milliseconds for which a private page is followed before its guards have to run again. */
const privatePageTtlMs = 15 * 60_000

type Options = { readonly clock: Clock; readonly ownerOf: OwnerOf; readonly seal: Seal }

/**
 * Records the tags that a rendering reads, and writes the page's subscription at the end of its
 * payload.
 */
export function createFollowPage({ clock, ownerOf, seal }: Options): FollowPage {
  return (page) => {
    // A counter would reveal how many pages a process renders, so use a random id.
    const rendering = `${clock.process()}${randomUUID().slice(0, 18)}`
    const mark = clock.mark()
    for (const { live } of page.modules) {
      const tags = tagsOfExport(live)
      if (tags.length > 0) page.addTags(tags)
    }
    return {
      rendering,
      lastRow() {
        const tags = followedTags(page.tags(), page.pathTags)
        if (!tags) return ''
        tell({ type: 'live', pathname: page.pathname, tags })
        const sender = page.sender()
        const owner = sender ? ownerOf(sender) : ''
        const untilMs = sender ? Date.now() + privatePageTtlMs : null
        const isStale = page.isStale()
        const sealed = seal.seal({ tags, mark: isStale ? '' : mark, owner, untilMs })
        return writeRow({ rendering, reads: seal.name({ tags, owner }), sealed, isStale })
      },
    }
  }
}

/** Returns the tags for `export const live`, which is `true` or a list of tags. */
function tagsOfExport(live: unknown): readonly string[] {
  if (live === true) return [allReads]
  return Array.isArray(live) ? live.flatMap((tag) => named(String(tag))) : []
}
