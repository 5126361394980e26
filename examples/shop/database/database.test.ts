import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, firedOfEach, type Order } from './database.ts'
import { openFileDatabase } from './file.ts'
import { findSqlite, openSqliteDatabase } from './sqlite.ts'

const sqlite = findSqlite()
const kinds = [
  { name: 'a file', open: (folder: string) => openFileDatabase(join(folder, 'sub/shop.json')) },
  ...(sqlite
    ? [
        {
          name: 'SQLite',
          open: (folder: string) => openSqliteDatabase(sqlite, join(folder, 'sub/shop.db')),
        },
      ]
    : []),
]

const ada = { id: 'u1', email: 'ada@example.org', passwordHash: 'x:y' }
const order: Order = {
  id: 'o1',
  userId: 'u1',
  createdAtMs: 1000,
  totalCents: 2800,
  lines: [{ slug: 'cup', quantity: 1 }],
  address: { name: 'Ada', street: 'Way 1', postcode: '1', city: 'Rome', note: "'; drop table" },
}

describe.each(kinds)('a database in $name', ({ open }) => {
  let folder: string
  let db: Database
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shop-'))
    db = open(folder)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('has one user for each e-mail address', async () => {
    expect(await db.findUserByEmail(ada.email)).toBeNull()
    expect(await db.addUser(ada)).toBe(true)
    expect(await db.addUser({ ...ada, id: 'u2' })).toBe(false)
    expect(await db.findUserByEmail(ada.email)).toEqual(ada)
  })

  test('finds the user of a session until the session expires or is deleted', async () => {
    await db.addUser(ada)
    const expiresAtMs = Date.now() + 1000
    await db.addSession({ tokenHash: 'a', userId: 'u1', expiresAtMs })
    await db.addSession({ tokenHash: 'b', userId: 'u1', expiresAtMs })
    expect(await db.findSessionUser('a', expiresAtMs - 1)).toEqual(ada)
    expect(await db.findSessionUser('a', expiresAtMs)).toBeNull()
    await db.deleteSession('a')
    expect(await db.findSessionUser('a', 0)).toBeNull()
    expect(await db.findSessionUser('b', 0)).toEqual(ada)
  })

  test('stores carts in the order of adding, with up to 20 pieces of a product', async () => {
    await db.addToCart('c', { slug: 'cup', quantity: 1 })
    await db.addToCart('c', { slug: 'jug', quantity: 19 })
    await db.addToCart('c', { slug: 'cup', quantity: 2 })
    await db.addToCart('c', { slug: 'jug', quantity: 19 })
    expect(await db.readCart('c')).toEqual([
      { slug: 'cup', quantity: 3 },
      { slug: 'jug', quantity: 20 },
    ])
    await db.setQuantity('c', { slug: 'cup', quantity: 0 })
    await db.setQuantity('c', { slug: 'jug', quantity: 4 })
    await db.setQuantity('c', { slug: 'plate', quantity: 4 })
    expect(await db.readCart('c')).toEqual([{ slug: 'jug', quantity: 4 }])
    expect(await db.readCart('other')).toEqual([])
  })

  test('loses no change when many happen at once', async () => {
    const add = () => db.addToCart('c', { slug: 'cup', quantity: 1 })
    await Promise.all(Array.from({ length: 12 }, add))
    expect(await db.readCart('c')).toEqual([{ slug: 'cup', quantity: 12 }])
  })

  test('stores an order and empties its cart', async () => {
    await db.addUser(ada)
    await db.addToCart('c', { slug: 'cup', quantity: 1 })
    expect(await db.placeOrder(order, 'c')).toBe(true)
    expect(await db.placeOrder({ ...order, id: 'o2', createdAtMs: 2000 }, 'c')).toBe(true)
    expect(await db.readCart('c')).toEqual([])
    expect(await db.findOrder('o1')).toEqual(order)
    expect(await db.findOrder('o3')).toBeNull()
    expect((await db.listOrders('u1')).map(({ id }) => id)).toEqual(['o2', 'o1'])
    expect(await db.listOrders('u2')).toEqual([])
  })

  test('never sells more than the stock, even to many buyers at once', async () => {
    await db.addUser(ada)
    await db.addToCart('c', { slug: 'cup', quantity: 1 })
    expect(await db.countSold('cup')).toBe(0)
    const results = await Promise.all(
      Array.from({ length: firedOfEach + 3 }, (_, at) =>
        db.placeOrder({ ...order, id: `o${at}` }, 'others'),
      ),
    )
    expect(results.filter(Boolean)).toHaveLength(firedOfEach)
    expect(await db.countSold('cup')).toBe(firedOfEach)
    expect(await db.countSold('jug')).toBe(0)
    const lines = [{ slug: 'jug', quantity: 1 }, ...order.lines]
    expect(await db.placeOrder({ ...order, id: 'late', lines }, 'c')).toBe(false)
    expect(await db.readCart('c')).toHaveLength(1)
    expect(await db.findOrder('late')).toBeNull()
    expect(await db.countSold('jug')).toBe(0)
  })

  test('still has its data when it is opened again', async () => {
    await db.addUser(ada)
    expect(await open(folder).findUserByEmail(ada.email)).toEqual(ada)
  })
})
