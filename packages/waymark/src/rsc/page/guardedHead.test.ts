import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { LateHead } from '../../components/LateHead.tsx'
import { createGuardedHead } from './head.ts'
import { createOutputBarrier } from './outputBarrier.ts'

const whole = [createElement('title', { key: 'title' }, 'behind')]
const inFront = [createElement('title', { key: 'title' }, 'in front')]

function headBehind(barrier = createOutputBarrier(null), canCut = true) {
  const head = createGuardedHead({
    barrier,
    whole,
    front: () => inFront,
    canCut: () => canCut,
    page: '/',
  })
  const { type } = head.node as ReactElement
  return { ...head, barrier, rendered: (type as () => ReactNode | Promise<ReactNode>)() }
}

test('a head that nothing guards is there at once, as it is', () => {
  const options = { whole, front: () => inFront, canCut: () => true, page: '/' }
  expect(createGuardedHead({ ...options, barrier: null }).node).toBe(whole)
})

test('a head whose guards have let it pass is there at once', () => {
  const barrier = createOutputBarrier(null)
  barrier.settle(true)
  expect(headBehind(barrier).rendered).toBe(whole)
})

test('a head waits for its guards', async () => {
  const { rendered, barrier } = headBehind()
  barrier.settle(true)
  expect(await rendered).toBe(whole)
})

test('where a guard refuses, what stands in front of it is the head', async () => {
  const { rendered, barrier } = headBehind()
  barrier.settle(false)
  expect(await rendered).toBe(inFront)
})

test('a head that was cut has what stands in front, and the rest once it may pass', async () => {
  const { rendered, barrier, cut } = headBehind()
  cut()
  const late = await rendered
  if (!isValidElement<{ early: unknown; children: Promise<unknown> }>(late)) throw new Error('tags')
  expect([late.type, late.props.early]).toEqual([LateHead, inFront])
  barrier.settle(true)
  expect(await late.props.children).toBe(whole)
})

test('a head that can’t be cut goes on waiting', async () => {
  const { rendered, barrier, cut } = headBehind(createOutputBarrier(null), false)
  cut()
  barrier.settle(true)
  expect(await rendered).toBe(whole)
})
