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
  const unsent = createFailureNotice(view as unknown as Window, board, actionTexts({}))
  const notice = () => shown as Notice | null
  const press = (label: string) =>
    notice()
      ?.actions.find((each) => each.label === label)
      ?.run()
  return { unsent, notice, press, view }
}

test('all that is open is asked in one notice, and answered together', async () => {
  const { unsent, notice, press } = setup()
  const one = unsent.ask('network')
  const text = notice()?.text
  const two = unsent.ask('late')
  expect(notice()?.text).not.toBe(text)
  expect(notice()?.text).toMatch(/^2 entries/)
  press('Retry')
  expect(await Promise.all([one.choice, two.choice])).toEqual(['retry', 'retry'])
  expect(notice()).toBeNull()
})

test('a question that is taken back leaves the others', () => {
  const { unsent, notice } = setup()
  const one = unsent.ask('network')
  unsent.ask('foreign')
  one.withdraw()
  expect(notice()?.text).toMatch(/did not come from this site/)
})

test('what could not be sent offline is sent when the person is back', async () => {
  const { unsent, notice, view } = setup(false)
  const { choice } = unsent.ask('network')
  expect(notice()?.text).toMatch(/^You are offline/)
  view.dispatchEvent(new Event('online'))
  expect(await choice).toBe('retry')
})

test('what is told stands until it is read, beneath what is asked', () => {
  const { unsent, notice, press } = setup()
  unsent.tell('Too large.')
  const { withdraw } = unsent.ask('network')
  expect(notice()?.text).not.toBe('Too large.')
  withdraw()
  expect(notice()?.text).toBe('Too large.')
  press('OK')
  expect(notice()).toBeNull()
})
