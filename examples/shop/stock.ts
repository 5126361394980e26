import 'server-only'
import { live } from '@waymark/live'
import { cached, connection } from 'waymark/server'
import { type CartLine, firedOfEach } from './database/database.ts'
import { database } from './database/open.ts'

/** Tag of the stock of a product. */
export const stockTag = (slug: string): string => `stock:${slug}`

/** Returns the current stock of a product. Pages that read the stock show changes live. */
export async function readStock(slug: string): Promise<number> {
  // Wait for a request, because the stock is only known at request time.
  await connection()
  return countLeft(slug)
}

/** Returns the products of a cart with too little stock. */
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
