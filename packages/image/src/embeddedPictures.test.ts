import type { Node } from 'takumi-js'
import { expect, test } from 'vitest'
import { extractPictures } from './embeddedPictures.ts'

const content = Buffer.from('\x89PNG, and some bytes: \xff', 'latin1')
const url = `data:image/png;base64,${content.toString('base64')}`
const name = 'waymark-picture-0'

async function extract(node: Node, { css = [] as string[], isHtml = false } = {}) {
  const decoded: Buffer[] = []
  const decode = async (content: Buffer) => {
    decoded.push(content)
    return Buffer.from('decoded')
  }
  return { ...(await extractPictures({ node, css, isHtml }, decode)), decoded }
}

test.each<[string, Node, Node]>([
  ['src', { type: 'image', src: url }, { type: 'image', src: name }],
  ['bytes', { type: 'image', src: content }, { type: 'image', src: name }],
  [
    'a buffer',
    { type: 'image', src: new Uint8Array(content).buffer },
    { type: 'image', src: name },
  ],
  [
    'percents',
    { type: 'image', src: `DATA:image/png,${escape(content.toString('latin1'))}` },
    { type: 'image', src: name },
  ],
  [
    'a style',
    { type: 'container', style: { backgroundImage: `linear-gradient(red, red), url( "${url}" )` } },
    { type: 'container', style: { backgroundImage: `linear-gradient(red, red), url(${name})` } },
  ],
  [
    'a class of Tailwind',
    { type: 'text', text: 'a', tw: `p-4 bg-[url(${url})]` },
    { type: 'text', text: 'a', tw: `p-4 bg-[url(${name})]` },
  ],
  [
    'a child',
    {
      type: 'container',
      children: [{ type: 'container', children: [{ type: 'image', src: url }] }],
    },
    {
      type: 'container',
      children: [{ type: 'container', children: [{ type: 'image', src: name }] }],
    },
  ],
])('the picture in %s is decoded and replaced by a name', async (_, node, expected) => {
  const extracted = await extract(node)
  expect(extracted.node).toEqual(expected)
  expect(extracted.decoded).toEqual([content])
  expect(extracted.hasDrawing).toBe(false)
  expect(extracted.sources).toEqual([{ src: name, data: Buffer.from('decoded') }])
})

test('a picture in a style sheet is decoded, and an SVG in HTML is detected', async () => {
  const node: Node = { type: 'image', src: ' <svg/>' }
  const extracted = await extract(node, { css: [`.a { background: url(${url}) }`] })
  expect(extracted.css).toEqual([`.a { background: url(${name}) }`])
  expect(extracted.decoded).toEqual([content])
  expect(extracted.hasDrawing).toBe(false)
  expect((await extract(node, { isHtml: true })).hasDrawing).toBe(true)
})

test('a picture that is used twice is decoded once', async () => {
  const image: Node = { type: 'image', src: url }
  const { decoded, node } = await extract({ type: 'container', children: [image, image] })
  expect(decoded).toHaveLength(1)
  expect(node).toMatchObject({ children: [{ src: name }, { src: name }] })
})

test('other URLs stay unchanged, and an SVG is left for another process', async () => {
  const style = { backgroundImage: 'url(https://a.test/b.png)', color: 'red' }
  const other: Node = { type: 'container', style, children: [{ type: 'image', src: '/a.png' }] }
  expect(await extract(other)).toMatchObject({ node: other, sources: [], decoded: [] })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const drawing = await extract({ type: 'image', src: `data:image/svg+xml,${encodeURI(svg)}` })
  expect(drawing.hasDrawing).toBe(true)
  expect(drawing.sources).toEqual([{ src: name, data: Buffer.from(svg) }])
})
