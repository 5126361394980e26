import { equal, openFrame, until } from './frame.ts'
import { touchedCase } from './touchedCase.ts'

/** Cases for pages of the app `plain` in a browser. A case that fails throws an error. */
export const pageCases = {
  async 'changes of a person survive hydration and a refresh'() {
    const frame = openFrame('/listed')
    const list = await frame.find('ul')
    await frame.find('p', 'The end')
    const link = list.querySelectorAll('a')[12] as HTMLElement
    link.focus()
    frame.window.getSelection()?.selectAllChildren(list.children[13] as Element)
    // Wait for a paint, because WebKit scrolls to the selection when it paints.
    await new Promise((resolve) => setTimeout(resolve, 100))
    list.scrollTop = 90
    const state = () => [
      frame.document().querySelector('ul') === list && list.contains(link),
      frame.document().activeElement === link,
      list.scrollTop,
      String(frame.window.getSelection()),
    ]
    const before = [true, true, 90, 'Entry 13, one of several & "alike"']
    const button = await frame.hydrated('article button')
    equal('before the refresh', [state(), frame.fetchedData()], [before, []])
    button.click()
    await frame.find('button', 'refreshed 1')
    equal('after it', [state(), frame.fetchedData()], [before, ['/_waymark/data/listed.rsc']])
    frame.expectQuietConsole()
  },

  'typed text, choices, open parts, written text and playing media survive': touchedCase,

  async 'fields with state get text and choices from before hydration'() {
    const frame = openFrame('/controlled')
    await frame.find('p', 'The end')
    const field = (selector: string) => frame.document().querySelector(selector) as HTMLInputElement
    field('[name=typed]').value = 'ash'
    field('textarea').value = 'fir'
    field('select').value = 'b'
    field('[name=checked]').checked = true
    field('[name=one][value=b]').checked = true
    await frame.find('output', 'ash,fir,b,yes,b,3; 5 changes')
    ;(await frame.hydrated('article button')).click()
    await frame.find('button', 'refreshed 1')
    const { value } = field('[name=typed]')
    const isChosen = field('[name=one][value=b]').checked
    equal('after a refresh', [value, field('textarea').value, isChosen], ['ash', 'fir', true])
    await frame.find('output', '5 changes')
    frame.expectQuietConsole()
  },

  async 'untouched fields get no events'() {
    const frame = openFrame('/controlled')
    await frame.hydrated('textarea')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await frame.find('output', 'oak,elm,a,no,a,3; 0 changes')
    frame.expectQuietConsole()
  },

  async 'a document that was changed by a script works'() {
    const frame = openFrame('/listed?changed')
    await frame.find('font', 'una de varias')
    await until('the text of the app', () => !frame.document().querySelector('font'))
    ;(await frame.hydrated('article button')).click()
    await frame.find('button', 'refreshed 1')
    equal('links', frame.document().querySelectorAll('li a').length, 20)
  },

  async 'text that is typed before hydration survives, and is sent'() {
    const frame = openFrame('/')
    const field = (await frame.find('input')) as HTMLInputElement
    await until('the router', () => frame.window.history.state?.waymark)
    field.value = 'oak'
    // Dispatch the event, because a frame in a background window can't get the focus.
    field.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    await frame.hydrated('input')
    equal('the field', field.value, 'oak')
    ;(await frame.find('button', 'Send')).click()
    await frame.find('h1', 'Got oak')
    equal('the address', frame.window.location.search, '?word=oak')
    frame.expectQuietConsole()
  },

  async 'ids of a late part stay the same, and the part works'() {
    const frame = openFrame('/lively')
    const { id } = await frame.find('button.named')
    const button = await frame.hydrated('button.named')
    button.click()
    await frame.find('button', 'pressed 1')
    equal('its id', button.id, id)
    frame.expectQuietConsole()
  },

  async 'links and steps back stay within the document'() {
    const frame = openFrame('/')
    const link = await frame.find('a', 'Other')
    await until('the router', () => frame.window.history.state?.waymark)
    const first = frame.document()
    link.click()
    await frame.find('h1', 'Other')
    equal('title', frame.document().title, 'Other')
    frame.window.history.back()
    await frame.find('h1', 'Home')
    equal('the document', frame.document() === first, true)
    frame.expectQuietConsole()
  },

  async 'a click before the router starts is not lost'() {
    const frame = openFrame('/')
    ;(await frame.find('a', 'Other')).click()
    await frame.find('h1', 'Other')
    equal('the address', frame.window.location.pathname, '/other')
    frame.expectQuietConsole()
  },

  async 'a redirect in a late part is followed'() {
    const frame = openFrame('/late')
    await frame.find('h1', 'Other')
    equal('the address', frame.window.location.pathname, '/other')
  },

  async 'the scroll position is restored after a step back and a reload'() {
    const frame = openFrame('/other')
    const box = await frame.find('#box')
    const link = await frame.find('a', 'To the end')
    await until('the router', () => frame.window.history.state?.waymark)
    frame.document().body.style.paddingBlockEnd = '90rem'
    box.scrollTo(0, 123)
    link.click()
    await until('the end', () => frame.window.scrollY > 0)
    frame.window.history.back()
    await until('the start', () => frame.window.scrollY === 0)
    frame.window.location.reload()
    await until('another document', () => frame.document().getElementById('box') !== box)
    await until('the place', () => frame.document().getElementById('box')?.scrollTop === 123)
  },

  async 'an unknown page shows the not-found screen with a link back'() {
    const frame = openFrame('/nowhere')
    await frame.find('body', 'This page could not be found.')
    ;(await frame.find('a')).click()
    await frame.find('h1', 'Home')
  },
}
