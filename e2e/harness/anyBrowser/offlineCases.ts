import { equal, openFrame, until } from './frame.ts'

/** Cases for pages whose server stops and starts again. A case that fails throws an error. */
export const offlineCases = {
  async 'a visited page opens without a network, and is current with one'() {
    const frame = openFrame('/read')
    await frame.hydrated('button')
    await untilCached('/read')
    await setNetwork('off')
    frame.window.location.reload()
    await until('the line with its age', () =>
      noticeOf(frame.document()).includes('No connection.'),
    )
    ;(await frame.hydrated('button')).click()
    await frame.find('button', 'Counted 1')
    await setNetwork('on')
    frame.window.location.reload()
    await frame.find('h1', 'Read')
    await until('no line', () => noticeOf(frame.document()) === '')
    equal('the heading', (await frame.find('h1')).textContent, 'Read')
  },

  async 'a form that was sent without a network is sent once'() {
    const frame = openFrame('/')
    const button = await frame.hydrated('form[name=note] button')
    await hasOutbox()
    await setNetwork('off')
    const field = frame.document().querySelector('form[name=note] [name=text]') as HTMLInputElement
    field.value = 'milk'
    button.click()
    await frame.find('[data-waymark-outbox] li', 'milk')
    await setNetwork('on')
    // Fire the event here, because the browser doesn't: the machine was always connected.
    frame.window.dispatchEvent(new Event('online'))
    await until('an empty outbox', () => !frame.document().querySelector('[data-waymark-outbox]'))
    await frame.find('[aria-label=Ledger] li', 'milk')
    const written = [...frame.document().querySelectorAll('[aria-label=Ledger] li')]
    equal(
      'the ledger',
      written.map((each) => each.textContent),
      ['milk'],
    )
  },
}

/** Stops or starts the server. */
async function setNetwork(state: 'on' | 'off'): Promise<void> {
  await fetch(`/~network?${state}`)
}

async function untilCached(path: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await caches.match(path)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${path} is not cached.`)
}

/** Waits until the outbox has opened its store. The outbox loads when the page is idle. */
async function hasOutbox(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await indexedDB.databases()).some(({ name }) => name === 'waymark-offline')) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The page has no outbox.')
}

function noticeOf(document: Document): string {
  const notices = [...document.querySelectorAll('[data-waymark-notice]')]
  return notices.map((each) => (each.shadowRoot ?? each).textContent).join('')
}
