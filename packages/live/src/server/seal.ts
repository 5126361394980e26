import { createHmac } from 'node:crypto'
import type { CreateLive } from 'waymark/internal/server'

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
export function createSeal(sealer: Parameters<CreateLive>[0]['sealer'], secret: () => string) {
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
      createHmac('sha256', secret())
        .update(JSON.stringify([purpose, owner, tags]))
        .digest('base64url')
        .slice(0, 16),
  }
}

export type Seal = ReturnType<typeof createSeal>
