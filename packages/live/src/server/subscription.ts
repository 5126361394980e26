import { createHmac } from 'node:crypto'
import type { Sealer, SentRequest, ServerApp } from 'waymark/plugin'
import { appSecrets } from 'waymark/plugin/server'

/** Description of the tags that a rendering follows, before it is sealed. */
export type Followed = {
  readonly tags: readonly string[]
  /** Positions of the invalidations when the rendering began; empty if it has shown stale data. */
  readonly mark: string
  /** Hash of the user for whom the page was rendered; empty for a public page. */
  readonly owner: string
  /**
   * Time until which the page is followed, in milliseconds since the epoch; `null` for a public
   * page.
   */
  readonly untilMs: number | null
}

const purpose = 'live page'

/** Seals subscriptions, so that browsers can neither read nor write them. */
export function createSeal(sealer: () => Sealer) {
  return {
    seal: ({ tags, mark, owner, untilMs }: Followed): string =>
      sealer().seal(Buffer.from(JSON.stringify([tags, mark, owner, untilMs])), purpose),
    /** @returns `null` if this app hasn't sealed the string */
    open(sealed: string): Followed | null {
      const bytes = sealer().open(sealed, purpose)
      if (bytes === null) return null
      const [tags, mark, owner, untilMs] = JSON.parse(Buffer.from(bytes).toString())
      return { tags, mark, owner, untilMs }
    },
    /**
     * Returns a name, which is the same for equal tags and owners. The name is a keyed hash, so
     * that nobody can guess tags from it.
     */
    name: ({ tags, owner }: Pick<Followed, 'tags' | 'owner'>): string =>
      createHmac('sha256', appSecrets()[0])
        .update(JSON.stringify([purpose, owner, tags]))
        .digest('base64url')
        .slice(0, 16),
  }
}

export type Seal = ReturnType<typeof createSeal>

/** Creates a function that identifies the sender of a request. */
export function createOwnerOf(hashSender: ServerApp['hashSender']) {
  return (sent: SentRequest): string => hashSender(sent, purpose)
}

export type OwnerOf = ReturnType<typeof createOwnerOf>

/** True if a page was sent to this client and is still followed. */
export function isOf({ owner, untilMs }: Followed, sender: string, nowMs: number): boolean {
  return (owner === '' || owner === sender) && (untilMs === null || untilMs > nowMs)
}
