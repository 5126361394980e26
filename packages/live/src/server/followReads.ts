import { randomUUID } from 'node:crypto'
import { type CreateLive, type PageReads, tagsOfPage } from 'waymark/internal/server'
import { writeRow } from '../shared/row.ts'
import { allReads, followedTags, named } from './liveTags.ts'
import type { Seal } from './seal.ts'

const freshHeader = 'waymark-fresh'

/** For how long a page of one person is followed before its guards have to run again. */
const ownMs = 15 * 60_000

const self = randomUUID().slice(0, 8)
let count = 0

type Options = Pick<Parameters<CreateLive>[0], 'cache' | 'ownerOf'> & { readonly seal: Seal }

/** Follows what a response reads, and writes at its end what its page has to wait for. */
export function createFollowReads(options: Options): ReturnType<CreateLive>['followReads'] {
  const { cache, ownerOf, seal } = options
  return (request): PageReads => {
    const id = `${self}${(count++).toString(36)}`
    const tags = new Set<string>()
    const mark = cache.mark()
    let isStale = false
    return {
      id,
      wantsFresh: request.headers.has(freshHeader),
      add(read) {
        for (const tag of read.tags) tags.add(tag)
        if (read.state === 'stale') isStale = true
      },
      addFile({ live }) {
        if (live === true) tags.add(allReads)
        else if (Array.isArray(live)) for (const tag of live) tags.add(named(String(tag)))
      },
      end(scope) {
        const { url, match, usage, cookies } = scope
        const followed = followedTags(tags, () =>
          tagsOfPage(url.pathname, match?.pattern ?? url.pathname),
        )
        if (followed === null) return ''
        const isOwn = usage.reason !== null
        const owner = isOwn ? ownerOf(scope.request, cookies.lines()) : ''
        const untilMs = isOwn ? Date.now() + ownMs : null
        const sealed = seal.seal({ tags: followed, mark: isStale ? '' : mark, owner, untilMs })
        return writeRow({ rendering: id, reads: seal.name({ tags: followed, owner }), sealed })
      },
    }
  }
}
