import 'server-only'
import { live } from '@waymark/live'
import { cached, connection } from 'waymark/server'
import { type CartLine, firedOfEach } from './database/database.ts'
import { database } from './database/open.ts'

/** The tag of what says how many of a product are left. */
export const stockTag = (slug: string): string => `stock:${slug}`

/** Tells how many of a product are left now; pages that read it follow it. */
export async function readStock(slug: string): Promise<number> {
  // At build nobody knows.
  await connection()
  return countLeft(slug)
}

/** Those products of a cart of which it holds more than are left. */
export async function readShortages(lines: readonly CartLine[]): Promise<readonly string[]> {
  const left = await Promise.all(lines.map(({ slug }) => readStock(slug)))
  return lines.flatMap(({ slug, quantity }, at) => (quantity > (left[at] ?? 0) ? [slug] : []))
}

const countLeft = cached(
  async (slug: string) => {
    live(stockTag(slug))
    return Math.max(0, firedOfEach - (await database().countSold(slug)))
  },
  { tags: (slug) => [stockTag(slug)] },
)
