import { expect, test } from 'vitest'
import type { Notice } from '../navigation/notice.ts'
import { actionTexts, createCallNotice } from './callNotice.ts'

function setup(onLine = true) {
  const view = Object.assign(new EventTarget(), { navigator: { onLine } })
  let visible: Notice | null = null
  const board = {
    show(notice: Notice) {
      visible = notice
    },
    hide() {
      visible = null
    },
  }
  const failures = createCallNotice(view as unknown as Window, board, actionTexts({}))
  const notice = () => visible as Notice | null
  const press = (label: string) =>
    notice()
      ?.actions.find((each) => each.label === label)
      ?.run()
  return { failures, notice, press, view }
}

test('one notice asks about all failed calls', () => {
  const { failures, notice, press } = setup()
  const chosen: string[] = []
  failures.ask({ kind: 'network' }, (choice) => chosen.push(choice))
  const text = notice()?.text
  failures.ask({ kind: 'late' }, (choice) => chosen.push(choice))
  expect(notice()?.text).not.toBe(text)
  expect(notice()?.text).toMatch(/^2 entries/)
  press('Retry')
  expect(chosen).toEqual(['retry', 'retry'])
  expect(notice()).toBeNull()
})

test('withdrawing a question leaves the others open', () => {
  const { failures, notice } = setup()
  const one = failures.ask({ kind: 'network' }, () => expect.unreachable())
  failures.ask({ kind: 'foreign' }, () => {})
  one.withdraw()
  one.choose('retry')
  expect(notice()?.text).toMatch(/Something other than this site/)
})

test('calls that failed offline are retried when the user is online', () => {
  const { failures, notice, view } = setup(false)
  const chosen: string[] = []
  failures.ask({ kind: 'network' }, (choice) => chosen.push(choice))
  expect(notice()?.text).toMatch(/^You're offline/)
  view.dispatchEvent(new Event('online'))
  expect(chosen).toEqual(['retry'])
})

test('a text stays until it is confirmed, but open questions are shown first', () => {
  const { failures, notice, press } = setup()
  failures.show('Too large.')
  const { withdraw } = failures.ask({ kind: 'network' }, () => {})
  expect(notice()?.text).not.toBe('Too large.')
  withdraw()
  expect(notice()?.text).toBe('Too large.')
  press('OK')
  expect(notice()).toBeNull()
})

test('a late call offers to keep waiting, which is also what Escape does', () => {
  const { failures, notice, press } = setup()
  const chosen: string[] = []
  const ask = () => failures.ask({ kind: 'late' }, (choice) => chosen.push(choice))
  ask()
  ask()
  expect(notice()?.text).toMatch(/^No reply yet/)
  press('Keep waiting')
  ask()
  notice()?.onEscape()
  expect(chosen).toEqual(['wait', 'wait', 'wait'])
  failures.ask({ kind: 'network' }, (choice) => chosen.push(choice))
  expect(notice()?.actions.map(({ label }) => label)).toEqual(['Retry', 'Dismiss'])
  notice()?.onEscape()
  expect(chosen.at(-1)).toBe('dismiss')
})
