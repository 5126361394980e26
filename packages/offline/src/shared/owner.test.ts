import { expect, test } from 'vitest'
import { sessionMarkKey } from '../../../waymark/src/client/document/sessionMark.ts'
import { createOwner, ownerKey } from './owner.ts'

function storageOf() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

test('the session mark is the owner if the app names no user', () => {
  const storage = storageOf()
  const owner = createOwner(() => storage)
  expect(owner.current()).toBe(null)
  storage.setItem(sessionMarkKey, '1')
  expect(owner.current()).toBe('session 1')
})

test('a named user stays the owner across documents until the session changes', () => {
  const storage = storageOf()
  storage.setItem(sessionMarkKey, '1')
  createOwner(() => storage).name('ada', 'sealed ada')
  const next = createOwner(() => storage)
  expect(next.current()).toBe('user ada')
  storage.setItem(sessionMarkKey, '2')
  expect(next.current()).toBe('session 2')
  next.name('ada', 'sealed ada')
  expect(next.current()).toBe('user ada')
})

test('listeners are notified once of another user', () => {
  const storage = storageOf()
  const owner = createOwner(() => storage)
  const heard: (string | null)[] = []
  owner.onChange((id) => heard.push(id))
  owner.look()
  owner.name('ada', 'sealed ada')
  owner.name('ada', 'sealed ada')
  createOwner(() => storage).name(null, 'sealed nobody')
  owner.look()
  expect(heard).toEqual(['user ada', null])
})

test('without storage the owner lasts as long as the document, and unknown stored values are ignored', () => {
  const forbidden = createOwner(() => {
    throw new Error('SecurityError')
  })
  forbidden.name('ada', 'sealed ada')
  expect(forbidden.current()).toBe('user ada')
  const storage = storageOf()
  storage.setItem(ownerKey, 'no JSON')
  expect(createOwner(() => storage).current()).toBe(null)
})

test('a document keeps its user when another tab names another one, and notifies', () => {
  const storage = storageOf()
  const hers = createOwner(() => storage)
  let notifications = 0
  hers.onOtherUser(() => notifications++)
  hers.name('ada', 'sealed ada')
  createOwner(() => storage).name('bob', 'sealed bob')
  hers.look()
  expect([notifications, hers.isOtherUser()]).toEqual([1, true])
  // Ada's document renders again, but with Bob's cookies.
  hers.name('bob', 'sealed bob')
  expect(hers.maker()).toEqual({ owner: 'user ada', sealed: 'sealed ada' })
  expect(hers.current()).toBe('user bob')
})

test('a document that signed another user in takes that user', () => {
  const owner = createOwner(() => storageOf())
  owner.name('ada', 'sealed ada')
  owner.allowChange()
  owner.name('bob', 'sealed bob')
  expect(owner.maker()).toEqual({ owner: 'user bob', sealed: 'sealed bob' })
  expect(owner.isOtherUser()).toBe(false)
})

test('a document keeps its user when the session is renewed', () => {
  const storage = storageOf()
  storage.setItem(sessionMarkKey, '1')
  const owner = createOwner(() => storage)
  owner.name('ada', 'sealed ada')
  storage.setItem(sessionMarkKey, '2')
  expect(owner.maker()).toEqual({ owner: 'user ada', sealed: 'sealed ada' })
  expect(owner.isOtherUser()).toBe(false)
})

test('a page that names nobody takes the user that another page of the session named', () => {
  const storage = storageOf()
  storage.setItem(sessionMarkKey, '1')
  createOwner(() => storage).name('ada', 'sealed ada')
  const next = createOwner(() => storage)
  expect(next.maker()).toEqual({ owner: 'user ada', sealed: 'sealed ada' })
  storage.setItem(sessionMarkKey, '2')
  expect(next.maker()).toEqual({ owner: 'session 2', sealed: null })
})

test('showing a page again does not change the latest user', () => {
  const owner = createOwner(() => storageOf())
  expect(owner.latest()).toBe(null)
  owner.name('ada', 'sealed ada')
  owner.name(null, 'sealed nobody')
  owner.name('ada', 'sealed ada')
  expect(owner.latest()).toEqual({ id: null, sealed: 'sealed nobody' })
  owner.name('ada', 'sealed ada again')
  expect(owner.latest()).toEqual({ id: 'ada', sealed: 'sealed ada again' })
})
