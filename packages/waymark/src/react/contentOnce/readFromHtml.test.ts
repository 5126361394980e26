import { expect, test, vi } from 'vitest'
import { sizeOf } from './htmlReference.ts'
import { readFromHtml } from './readFromHtml.ts'

class TestElement {
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  readonly localName: string
  readonly firstChild = null

  constructor(localName: string, attributes: Readonly<Record<string, string>>) {
    this.localName = localName
    this.attributes = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  }
}

/** Reads a payload with one reference, of the right size, at the place of an element. */
function readAt(localName: string, attributes: Readonly<Record<string, string>>) {
  vi.stubGlobal('Element', TestElement)
  const element = new TestElement(localName, attributes)
  const texts = [localName, ...Object.entries(attributes).flat()]
  const size = texts.reduce((sum, text) => sum + sizeOf(text), 0)
  const evaluate = () => ({ singleNodeValue: Object.assign(element, { ownerDocument }) })
  const ownerDocument = { evaluate }
  const text = `~${JSON.stringify([{}, ['.'], [0, 'p', size, 0]])}\n0:["$~0"]`
  return readFromHtml(text, { ownerDocument } as unknown as Element)
}

test('an element is read from the place that the payload names', async () => {
  expect(await readAt('p', { title: 'a' })).toBe('0:[["$","p",null,{"title":"a"}]]')
})

test.each(['meta', 'link', 'script', 'style', 'title', 'base'])(
  'content of the same size is not read where React would move it into the head: %s',
  async (name) => {
    expect(await readAt(name, { name: 'waymark-script', content: '{}' })).toBeNull()
  },
)
