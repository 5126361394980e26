import { createHmac } from 'node:crypto'
import type { Sealer, SentRequest, ServerApp } from 'waymark/plugin'
import { appSecrets } from 'waymark/plugin/server'

/** What a rendering follows. */
export type Followed = {
  readonly tags: readonly string[]
  /** Where invalidations stood when it began; empty where it has shown what was stale. */
  readonly mark: string
  /** Who was shown it; empty for a page that is the same for everybody. */
  readonly owner: string
  /** Milliseconds since the epoch; `null` for a page that is the same for everybody. */
  readonly untilMs: number | null
}

const purpose = 'live page'

/** Seals what a page follows: its browser can neither read nor write it. */
export function createSeal(sealer: () => Sealer) {
  return {
    seal: ({ tags, mark, owner, untilMs }: Followed): string =>
      sealer().seal(Buffer.from(JSON.stringify([tags, mark, owner, untilMs])), purpose),
    /** @returns `null` for what this app has not sealed */
    open(sealed: string): Followed | null {
      const bytes = sealer().open(sealed, purpose)
      if (bytes === null) return null
      const [tags, mark, owner, untilMs] = JSON.parse(Buffer.from(bytes).toString())
      return { tags, mark, owner, untilMs }
    },
    /** The same for equal tags and owners. With a key, or names of tags could be guessed. */
    name: ({ tags, owner }: Pick<Followed, 'tags' | 'owner'>): string =>
      createHmac('sha256', appSecrets()[0])
        .update(JSON.stringify([purpose, owner, tags]))
        .digest('base64url')
        .slice(0, 16),
  }
}

export type Seal = ReturnType<typeof createSeal>

/** Names whoever has sent a request. */
export function createOwnerOf(hashSender: ServerApp['hashSender']) {
  return (sent: SentRequest): string => hashSender(sent, purpose)
}

export type OwnerOf = ReturnType<typeof createOwnerOf>

/** True if a page was sent to this client, not too long ago. */
export function isOf({ owner, untilMs }: Followed, sender: string, nowMs: number): boolean {
  return (owner === '' || owner === sender) && (untilMs === null || untilMs > nowMs)
}
