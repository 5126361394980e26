import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { StreamedHead } from '../../components/StreamedHead.tsx'
import { createGuard } from './guard.ts'
import { createGuardedHead } from './head.ts'

const whole = [createElement('title', { key: 'title' }, 'behind')]
const early = [createElement('title', { key: 'title' }, 'in front')]

function headBehind(guard = createGuard(null), isShown = true) {
  const head = createGuardedHead({
    guard,
    whole,
    early: () => early,
    isShown: () => isShown,
    page: '/',
  })
  const { type } = head.node as ReactElement
  return { ...head, guard, rendered: (type as () => ReactNode | Promise<ReactNode>)() }
}

test('a head that nothing guards is there at once, as it is', () => {
  const options = { whole, early: () => early, isShown: () => true, page: '/' }
  expect(createGuardedHead({ ...options, guard: null }).node).toBe(whole)
})

test('a head whose guards have let it pass is there at once', () => {
  const guard = createGuard(null)
  guard.settle(true)
  expect(headBehind(guard).rendered).toBe(whole)
})

test('a head waits for its guards', async () => {
  const { rendered, guard } = headBehind()
  guard.settle(true)
  expect(await rendered).toBe(whole)
})

test('where a guard refuses, what stands in front of it is the head', async () => {
  const { rendered, guard } = headBehind()
  guard.settle(false)
  expect(await rendered).toBe(early)
})

test('an early head has what stands in front, and the rest once it may pass', async () => {
  const { rendered, guard, sendEarly } = headBehind()
  sendEarly()
  const late = await rendered
  if (!isValidElement<{ initialTags: unknown; children: Promise<unknown> }>(late))
    throw new Error('tags')
  expect([late.type, late.props.initialTags]).toEqual([StreamedHead, early])
  guard.settle(true)
  expect(await late.props.children).toBe(whole)
})

test('a head whose layouts are not shown yet goes on waiting', async () => {
  const { rendered, guard, sendEarly } = headBehind(createGuard(null), false)
  sendEarly()
  guard.settle(true)
  expect(await rendered).toBe(whole)
})
