import { expect, test, vi } from 'vitest'
import type { Notice } from '../navigation/notice.ts'
import { actionTexts } from './actionTexts.ts'
import { createFailureNotice } from './retry.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

function setup(onLine = true) {
  const view = Object.assign(new EventTarget(), { navigator: { onLine } })
  let shown: Notice | null = null
  const board = {
    show(notice: Notice) {
      shown = notice
    },
    hide() {
      shown = null
    },
  }
  const failures = createFailureNotice(view as unknown as Window, board, actionTexts({}))
  const notice = () => shown as Notice | null
  const press = (label: string) =>
    notice()
      ?.actions.find((each) => each.label === label)
      ?.run()
  return { failures, notice, press, view }
}

test('all open questions are one notice, with one choice', async () => {
  const { failures, notice, press } = setup()
  const one = failures.ask('network')
  const text = notice()?.text
  const two = failures.ask('late')
  expect(notice()?.text).not.toBe(text)
  expect(notice()?.text).toMatch(/^2 entries/)
  press('Retry')
  expect(await Promise.all([one.choice, two.choice])).toEqual(['retry', 'retry'])
  expect(notice()).toBeNull()
})

test('a question that is withdrawn leaves the others', () => {
  const { failures, notice } = setup()
  const one = failures.ask('network')
  failures.ask('foreign')
  one.withdraw()
  expect(notice()?.text).toMatch(/did not come from this site/)
})

test('calls that failed offline are retried when the user is online', async () => {
  const { failures, notice, view } = setup(false)
  const { choice } = failures.ask('network')
  expect(notice()?.text).toMatch(/^You are offline/)
  view.dispatchEvent(new Event('online'))
  expect(await choice).toBe('retry')
})

test('a text stays until it is confirmed, beneath open questions', () => {
  const { failures, notice, press } = setup()
  failures.show('Too large.')
  const { withdraw } = failures.ask('network')
  expect(notice()?.text).not.toBe('Too large.')
  withdraw()
  expect(notice()?.text).toBe('Too large.')
  press('OK')
  expect(notice()).toBeNull()
})
