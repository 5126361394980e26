import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { StreamedHead } from '../../components/StreamedHead.tsx'
import { createGuard } from './guard.ts'
import { createGuardedHead } from './head.ts'

const whole = [createElement('title', { key: 'title' }, 'behind')]
const decidedHead = [createElement('title', { key: 'title' }, 'in front')]

function headBehind(guard = createGuard(null), isVisible = true) {
  const head = createGuardedHead({
    guard,
    whole,
    renderDecided: () => decidedHead,
    isVisible: () => isVisible,
    page: '/',
  })
  const { type } = head.node as ReactElement
  return { ...head, guard, rendered: (type as () => ReactNode | Promise<ReactNode>)() }
}

test('a head without guards is sent at once', () => {
  const options = { whole, renderDecided: () => decidedHead, isVisible: () => true, page: '/' }
  expect(createGuardedHead({ ...options, guard: null }).node).toBe(whole)
})

test('a head whose guards have passed is sent at once', () => {
  const guard = createGuard(null)
  guard.settle(true)
  expect(headBehind(guard).rendered).toBe(whole)
})

test('a head waits for its guards', async () => {
  const { rendered, guard } = headBehind()
  guard.settle(true)
  expect(await rendered).toBe(whole)
})

test('if a guard refuses, only the head of the layouts around it is sent', async () => {
  const { rendered, guard } = headBehind()
  guard.settle(false)
  expect(await rendered).toBe(decidedHead)
})

test('the head of layouts that have passed is sent first, and the rest after the guards', async () => {
  const { rendered, guard, sendDecided } = headBehind()
  sendDecided()
  const first = await rendered
  if (!isValidElement<{ initialTags: unknown; children: Promise<unknown> }>(first))
    throw new Error('tags')
  expect([first.type, first.props.initialTags]).toEqual([StreamedHead, decidedHead])
  guard.settle(true)
  expect(await first.props.children).toBe(whole)
})

test('a head whose layouts are not visible yet keeps waiting', async () => {
  const { rendered, guard, sendDecided } = headBehind(createGuard(null), false)
  sendDecided()
  guard.settle(true)
  expect(await rendered).toBe(whole)
})
