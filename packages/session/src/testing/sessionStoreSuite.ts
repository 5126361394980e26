import { expect, test } from 'vitest'
import type { SessionRow, SessionStore } from '../sessionStore.ts'

export function rowOf(key: string, fields: Partial<SessionRow> = {}): SessionRow {
  const nowMs = Date.now()
  return {
    key,
    id: `id of ${key}`,
    userId: 'ada',
    data: '{"theme":"dark"}',
    device: 'Firefox',
    createdAtMs: nowMs,
    seenAtMs: nowMs,
    expiresAtMs: nowMs + 60_000,
    version: 0,
    ...fields,
  }
}

const keysOf = (rows: readonly SessionRow[]) => rows.map(({ key }) => key).toSorted()

/**
 * Tests that each store must pass.
 * @param open opens two stores with the same content, as in two processes
 */
export function sessionStoreSuite(
  open: () => Promise<readonly [SessionStore, SessionStore]>,
): void {
  test('a row is found by its key, in each process', async () => {
    const [one, two] = await open()
    const row = rowOf('a')
    await one.insert(row)
    expect(await two.find('a')).toEqual(row)
    expect(await one.find('b')).toBeNull()
    await two.delete('a')
    expect(await one.find('a')).toBeNull()
    await one.delete('a')
  })

  test('a row is replaced only if nobody has changed or deleted it', async () => {
    const [one, two] = await open()
    await one.insert(rowOf('a'))
    expect(await two.replace(rowOf('a', { data: '{}', version: 1 }))).toBe(true)
    expect(await one.replace(rowOf('a', { version: 1 }))).toBe(false)
    expect(await one.find('a')).toMatchObject({ data: '{}', version: 1 })
    await two.delete('a')
    expect(await one.replace(rowOf('a', { version: 2 }))).toBe(false)
    expect(await one.find('a')).toBeNull()
  })

  test('of many concurrent changes to a version, exactly one succeeds', async () => {
    const stores = await open()
    await stores[0].insert(rowOf('a'))
    const changes = Array.from({ length: 10 }, (_, index) =>
      stores[index % 2]?.replace(rowOf('a', { data: `[${index}]`, version: 1 })),
    )
    expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1)
  })

  test('lists the sessions of one user, which may have been started at the same time', async () => {
    const [one, two] = await open()
    const keys = ['a', 'b', 'c', 'd']
    await Promise.all(keys.map((key, index) => (index % 2 ? one : two).insert(rowOf(key))))
    await one.insert(rowOf('e', { userId: 'eve' }))
    await one.insert(rowOf('v', { userId: null }))
    expect(keysOf(await two.list('ada'))).toEqual(keys)
    expect(keysOf(await two.list('nobody'))).toEqual([])
  })

  test('deletes all sessions of one user, or all except one', async () => {
    const [one, two] = await open()
    for (const key of ['a', 'b', 'c']) await one.insert(rowOf(key))
    await one.insert(rowOf('e', { userId: 'eve' }))
    await two.deleteAll('ada', 'b')
    expect(keysOf(await one.list('ada'))).toEqual(['b'])
    expect(await one.find('a')).toBeNull()
    await one.deleteAll('ada', null)
    expect(await two.find('b')).toBeNull()
    expect(keysOf(await two.list('eve'))).toEqual(['e'])
  })
}
