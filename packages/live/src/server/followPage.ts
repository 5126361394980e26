import { randomUUID } from 'node:crypto'
import { type FollowPage, tagsOfPage } from 'waymark/internal/server'
import { writeRow } from '../shared/row.ts'
import type { Clock } from './clock.ts'
import { tell } from './liveChannel.ts'
import { allReads, followedTags, named } from './liveTags.ts'
import type { OwnerOf, Seal } from './subscription.ts'

/** For how long a page of one person is followed before its guards have to run again. */
const ownMs = 15 * 60_000

type Options = { readonly clock: Clock; readonly ownerOf: OwnerOf; readonly seal: Seal }

/** Follows what a rendering reads, and writes at its end what its page has to wait for. */
export function createFollowPage({ clock, ownerOf, seal }: Options): FollowPage {
  return (scope, files = []) => {
    // No number: how many pages a process renders is nobody's business.
    const rendering = `${clock.process()}${randomUUID().slice(0, 18)}`
    const mark = clock.mark()
    const { life } = scope.context
    for (const { module } of files) {
      const tags = tagsOfExport(module.live)
      if (tags.length > 0) life?.add({ tags, revalidateSeconds: null, expireSeconds: null })
    }
    return {
      rendering,
      lastRow() {
        const { url, match, usage, cookies, context, request } = scope
        const pattern = match?.pattern ?? url.pathname
        const tags = life && followedTags(life.tags, () => tagsOfPage(url.pathname, pattern))
        if (!tags) return ''
        tell({ type: 'live', pathname: url.pathname, tags })
        const isOwn = usage.reason !== null
        const owner = isOwn
          ? ownerOf({ headers: context.sentHeaders, target: request.target }, cookies.lines())
          : ''
        const untilMs = isOwn ? Date.now() + ownMs : null
        const { isStale } = life
        const sealed = seal.seal({ tags, mark: isStale ? '' : mark, owner, untilMs })
        return writeRow({ rendering, reads: seal.name({ tags, owner }), sealed, isStale })
      },
    }
  }
}

/** Of `export const live = true`, or of a list of tags. */
function tagsOfExport(live: unknown): readonly string[] {
  if (live === true) return [allReads]
  return Array.isArray(live) ? live.flatMap((tag) => named(String(tag))) : []
}
