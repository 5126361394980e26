import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { bodyOf, type Entry, storedBody } from './entry.ts'
import { createEntryStore } from './entryStore.ts'
import { newEntry } from './testing/entries.ts'

test('entries are listed in order of creation until they are removed', async () => {
  const factory = new IDBFactory()
  const store = createEntryStore('', () => factory)
  const ids = [await store.add(newEntry({ key: 'a' })), await store.add(newEntry({ key: 'b' }))]
  expect(ids).toEqual([1, 2])
  await store.remove(1)
  expect(await store.add(newEntry({ key: 'c' }))).toBe(3)
  expect((await store.list()).map(({ key }) => key)).toEqual(['b', 'c'])
})

test('the second of two concurrent changes sees the first, even from another tab', async () => {
  const factory = new IDBFactory()
  const one = createEntryStore('', () => factory)
  const two = createEntryStore('', () => factory)
  const id = await one.add(newEntry({ tries: 0 }))
  const more = (entry: Entry) => ({ ...entry, tries: entry.tries + 1 })
  await Promise.all([one.update(id, more), two.update(id, more)])
  expect((await one.list())[0]?.tries).toBe(2)
  expect(await one.update(id, () => null)).toBeNull()
  expect(await one.update(99, more)).toBeNull()
})

test('a body with a file is stored without changes', async () => {
  const data = new FormData()
  data.append('0', '["$K1"]')
  data.append('1_file', new File(['text'], 'a.txt', { type: 'text/plain' }))
  const again = bodyOf({ body: storedBody(data) }) as FormData
  expect([...again.keys()]).toEqual(['0', '1_file'])
  const file = again.get('1_file') as File
  expect([file.name, file.type, await file.text()]).toEqual(['a.txt', 'text/plain', 'text'])
})

test('rejects while the browser blocks storage, and works once it allows storage', async () => {
  const factory = new IDBFactory()
  let isForbidden = true
  const store = createEntryStore('', () => {
    if (isForbidden) throw new DOMException('Forbidden.', 'SecurityError')
    return factory
  })
  await expect(store.list()).rejects.toThrow('Forbidden')
  isForbidden = false
  expect(await store.list()).toEqual([])
})

test('deleting the database from outside is not blocked', async () => {
  const factory = new IDBFactory()
  const store = createEntryStore('', () => factory)
  await store.add(newEntry())
  await new Promise((resolve, reject) => {
    const request = factory.deleteDatabase('waymark-offline')
    request.onsuccess = resolve
    request.onblocked = reject
  })
  expect(await store.list()).toEqual([])
})
