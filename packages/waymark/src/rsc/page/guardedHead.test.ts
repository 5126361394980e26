import { createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { LateHead } from '../../components/LateHead.tsx'
import { createGuardedHead } from './head.ts'
import { createOutputBarrier } from './statusGate.ts'

const whole = [createElement('title', { key: 'title' }, 'behind')]
const inFront = [createElement('title', { key: 'title' }, 'in front')]

function headBehind(passage = createOutputBarrier(null), canCut = true) {
  const head = createGuardedHead({
    passage,
    whole,
    front: () => inFront,
    canCut: () => canCut,
    page: '/',
  })
  const { type } = head.node as ReactElement
  return { ...head, passage, rendered: (type as () => ReactNode | Promise<ReactNode>)() }
}

test('a head that nothing guards is there at once, as it is', () => {
  const options = { whole, front: () => inFront, canCut: () => true, page: '/' }
  expect(createGuardedHead({ ...options, passage: null }).node).toBe(whole)
})

test('a head whose guards have let it pass is there at once', () => {
  const passage = createOutputBarrier(null)
  passage.settle(true)
  expect(headBehind(passage).rendered).toBe(whole)
})

test('a head waits for its guards', async () => {
  const { rendered, passage } = headBehind()
  passage.settle(true)
  expect(await rendered).toBe(whole)
})

test('where a guard refuses, what stands in front of it is the head', async () => {
  const { rendered, passage } = headBehind()
  passage.settle(false)
  expect(await rendered).toBe(inFront)
})

test('a head that was cut has what stands in front, and the rest once it may pass', async () => {
  const { rendered, passage, cut } = headBehind()
  cut()
  const late = await rendered
  if (!isValidElement<{ early: unknown; children: Promise<unknown> }>(late)) throw new Error('tags')
  expect([late.type, late.props.early]).toEqual([LateHead, inFront])
  passage.settle(true)
  expect(await late.props.children).toBe(whole)
})

test('a head that can’t be cut goes on waiting', async () => {
  const { rendered, passage, cut } = headBehind(createOutputBarrier(null), false)
  cut()
  passage.settle(true)
  expect(await rendered).toBe(whole)
})
