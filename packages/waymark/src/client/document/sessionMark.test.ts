import { expect, test, vi } from 'vitest'
import { onSessionChange, readSessionMark, sessionMarkKey } from './sessionMark.ts'

test('reads the mark from storage, and returns null if storage is blocked', () => {
  expect(readSessionMark(() => ({ getItem: (key) => `mark of ${key}` }))).toBe(
    'mark of waymark-session',
  )
  expect(readSessionMark(() => ({ getItem: () => null }))).toBe(null)
  const blocked = () => {
    throw new Error('SecurityError')
  }
  expect(readSessionMark(blocked)).toBe(null)
})

test('calls the listener when another tab writes the mark, but not for other keys', () => {
  const view = new EventTarget()
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view))
  const listener = vi.fn()
  onSessionChange(listener)
  vi.unstubAllGlobals()
  const write = (key: string) => view.dispatchEvent(Object.assign(new Event('storage'), { key }))
  write('theme')
  expect(listener).not.toHaveBeenCalled()
  write(sessionMarkKey)
  expect(listener).toHaveBeenCalledOnce()
})
