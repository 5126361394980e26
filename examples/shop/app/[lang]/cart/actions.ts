'use server'

import { action, refresh } from 'waymark/server'
import { z } from 'zod'
import { findProduct } from '../../../catalogue.ts'
import { maxQuantity } from '../../../database/database.ts'
import { database } from '../../../database/open.ts'
import { ensureCartId, readCartId } from '../../../session.ts'

const slug = z.string().refine((text) => findProduct(text) !== undefined)

/** Adds one piece of a product to the cart. */
export const addToCart = action(
  { input: z.object({ slug }), maxBytes: 10_000 },
  async ({ slug }) => {
    const cartId = await ensureCartId()
    await database().addToCart(cartId, { slug, quantity: 1 })
    // Render the page again, because the header shows the number of pieces.
    refresh()
    const lines = await database().readCart(cartId)
    return { count: lines.find((line) => line.slug === slug)?.quantity ?? 0 }
  },
)

// Value of the pressed button, such as `morning-cup:3`.
const change = z
  .string()
  .regex(/^[a-z-]{1,40}:\d{1,2}$/)
  .transform((text) => {
    const [slug = '', quantity] = text.split(':')
    return { slug, quantity: Number(quantity) }
  })
  .refine(({ slug, quantity }) => findProduct(slug) && quantity <= maxQuantity)

/** Sets the quantity of a product in the cart. */
export const changeCart = action(
  { input: z.object({ change }), maxBytes: 10_000 },
  async ({ change }) => {
    const cartId = await readCartId()
    if (cartId) await database().setQuantity(cartId, change)
    refresh()
    return null
  },
)
