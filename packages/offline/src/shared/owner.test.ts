import { expect, test } from 'vitest'
import { sessionKey } from 'waymark/internal'
import { createOwner, ownerKey } from './owner.ts'

function storageOf() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

test('the session mark counts where the app names no user', () => {
  const storage = storageOf()
  const owner = createOwner(() => storage)
  expect(owner.current()).toBe(null)
  storage.setItem(sessionKey, '1')
  expect(owner.current()).toBe('session 1')
})

test('a user that is named stays over documents, until the session changes', () => {
  const storage = storageOf()
  storage.setItem(sessionKey, '1')
  createOwner(() => storage).name('ada')
  const next = createOwner(() => storage)
  expect(next.current()).toBe('user ada')
  storage.setItem(sessionKey, '2')
  expect(next.current()).toBe('session 2')
  next.name('ada')
  expect(next.current()).toBe('user ada')
})

test('listeners hear of another user once', () => {
  const storage = storageOf()
  const owner = createOwner(() => storage)
  const heard: (string | null)[] = []
  owner.onChange((id) => heard.push(id))
  owner.look()
  owner.name('ada')
  owner.name('ada')
  createOwner(() => storage).name(null)
  owner.look()
  expect(heard).toEqual(['user ada', null])
})

test('without storage it holds for the document; what others have stored is left aside', () => {
  const forbidden = createOwner(() => {
    throw new Error('SecurityError')
  })
  forbidden.name('ada')
  expect(forbidden.current()).toBe('user ada')
  const storage = storageOf()
  storage.setItem(ownerKey, 'no JSON')
  expect(createOwner(() => storage).current()).toBe(null)
})
