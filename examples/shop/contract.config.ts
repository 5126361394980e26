import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContractConfig } from '@waymark/contract'

// Use a database of its own, so that the developer's data stays as it is.
const folder = mkdtempSync(join(tmpdir(), 'shop-contract-'))
process.env.SHOP_DATA = folder
const { database } = await import('./database/open.ts')

const member = await addUser('member')
const other = await addUser('other')
const order = {
  id: '0b1d2f3a-5c6e-4f70-8a91-b2c3d4e5f607',
  userId: member.id,
  createdAtMs: Date.now(),
  totalCents: 2_800,
  lines: [{ slug: 'morning-cup', quantity: 1 }],
  address: { name: 'Ada', street: 'Shore 1', postcode: '12345', city: 'Kiel', note: '' },
}
await database().placeOrder(order, randomUUID())

async function addUser(name: string) {
  const token = randomUUID()
  const user = { id: randomUUID(), email: `${name}@example.com`, passwordHash: '' }
  await database().addUser(user)
  const tokenHash = createHash('sha256').update(token).digest('base64url')
  await database().addSession({ tokenHash, userId: user.id, expiresAtMs: Date.now() + 3_600_000 })
  return { id: user.id, cookies: { '__Host-session': token } }
}

export default {
  env: { SHOP_DATA: folder },
  personas: {
    member: () => ({ cookies: member.cookies }),
    other: () => ({ cookies: other.cookies }),
  },
  params: { lang: 'en' },
  paths: { '/[lang]/account/orders/[id]': `/en/account/orders/${order.id}` },
  sensitive: { fields: ['passwordHash', 'tokenHash'] },
} satisfies ContractConfig
