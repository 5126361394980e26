import { expect, test } from 'vitest'
import { createOtherTabs } from './otherTabs.ts'

const followed = (...names: string[]) => new Map(names.map((name) => [name, [`sealed ${name}`]]))

test('the subscriptions of tabs are joined by name', () => {
  const tabs = createOtherTabs()
  tabs.set('one', followed('a', 'b'))
  tabs.set('two', followed('b'))
  expect([...tabs.join(followed('a', 'c')).keys()]).toEqual(['a', 'c', 'b'])
  tabs.set('one', followed())
  expect([...tabs.join(followed('c')).keys()]).toEqual(['c', 'b'])
})

test('tabs that follow the same reads each contribute their own rendering', () => {
  const tabs = createOtherTabs()
  tabs.set('one', new Map([['a', ['older']]]))
  tabs.set('two', new Map([['a', ['newer']]]))
  expect(tabs.join(new Map([['a', ['newer']]]))).toEqual(new Map([['a', ['newer', 'older']]]))
})

test('a tab that stays silent is forgotten', () => {
  let nowMs = 0
  const tabs = createOtherTabs(() => nowMs)
  tabs.set('one', followed('a'))
  nowMs = 61_000
  expect(tabs.join(followed()).size).toBe(0)
})
