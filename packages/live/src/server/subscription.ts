import { createHmac } from 'node:crypto'
import type { Sealer, SentRequest, ServerApp } from 'waymark/plugin'
import { appSecrets } from 'waymark/plugin/server'

/** Unsealed description of the tags that a rendering follows. */
export type Followed = {
  readonly tags: readonly string[]
  /**
   * Positions of the invalidations when the rendering began; empty if the rendering has shown stale
   * data.
   */
  readonly mark: string
  /** Hash of the user who was shown the page; empty for a public page. */
  readonly owner: string
  /** Milliseconds since the epoch until which the page is followed; `null` for a public page. */
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
     * Returns the same name for equal tags and owners. The name is a keyed hash, so that nobody can
     * guess tags from it.
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

/** True if a page was sent to this client and has not expired. */
export function isOf({ owner, untilMs }: Followed, sender: string, nowMs: number): boolean {
  return (owner === '' || owner === sender) && (untilMs === null || untilMs > nowMs)
}
