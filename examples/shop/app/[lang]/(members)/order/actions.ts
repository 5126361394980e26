'use server'

import { randomUUID } from 'node:crypto'
import { redirect, unauthorized } from 'waymark'
import { action, updateTag } from 'waymark/server'
import { z } from 'zod'
import { totalOf } from '../../../../catalogue.ts'
import { database } from '../../../../database/open.ts'
import { languages } from '../../../../languages.ts'
import { readCart, readCartId, readUser } from '../../../../session.ts'
import { stockTag } from '../../../../stock.ts'

// The messages are keys of `errors` in the dictionaries.
const text = z.string().trim().min(1, 'required').max(100, 'long')
const form = z.object({
  lang: z.enum(languages),
  name: text,
  street: text,
  postcode: z
    .string()
    .trim()
    .regex(/^[\p{L}\d -]{3,10}$/u, 'postcode'),
  city: text,
  note: z.string().trim().max(500, 'long'),
})

/** Orders the contents of the cart at the current prices. */
export const placeOrder = action({ input: form, maxBytes: 20_000 }, async (input) => {
  const { lang, ...address } = input
  const user = (await readUser()) ?? unauthorized()
  const cartId = await readCartId()
  const lines = await readCart()
  if (!cartId || lines.length === 0) return { problem: 'emptyCart' as const }
  const id = randomUUID()
  const order = { id, userId: user.id, createdAtMs: Date.now(), lines, address }
  const isPlaced = await database().placeOrder({ ...order, totalCents: totalOf(lines) }, cartId)
  // Invalidate the stock, because open pages now show outdated numbers. If the order failed, the numbers
  // were outdated before.
  await Promise.all(lines.map(({ slug }) => updateTag(stockTag(slug))))
  if (!isPlaced) return { problem: 'soldOut' as const }
  redirect(`/${lang}/account/orders/${id}`)
})
