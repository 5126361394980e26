import { expect, test } from 'vitest'
import { createFrameWriter, readFrames } from 'waymark/plugin/node'
import { withoutPage } from './pageData.ts'

const framed = (text: string, isLast = true) =>
  createFrameWriter().write([Buffer.from(text)], isLast)
const rows = `:HL["/a.css","style"]
0:{"tree":{"key":"/","slots":{"children":{"key":"/board#page"}}},"segments":{"/":"$L1","/board#page":"$L2"},"head":"$L3"}
1:"Überschrift"
2:["$","h1",null,{}]
`

test('a page that failed has an error instead of its content', () => {
  const data = withoutPage(framed(rows), { kind: 'failed', digest: 'WAYMARK;404' })
  const text = Buffer.from(readFrames(new Uint8Array(data ?? [])) ?? []).toString()
  expect(text).toContain('"segments":{"/":"$L1","/board#page":"$Lfffff"}')
  expect(text).toContain('\n1:"Überschrift"\n')
  expect(text).toMatch(/\nfffff:E\{"digest":"WAYMARK;404"\}\n$/)
})

test('the data of a page that is loading never ends', () => {
  const data = withoutPage(framed(rows), { kind: 'loading' })
  expect(data?.toString()).toContain('"/board#page":"$Lfffff"')
  expect(readFrames(new Uint8Array(data ?? []))).toBeNull()
})

test('data without the page stays as it is', () => {
  const mounted = rows.replace('"/board#page":"$L2"', '"/other":"$L2"')
  expect(withoutPage(framed(mounted), { kind: 'loading' })).toBeNull()
  expect(withoutPage(framed(rows).subarray(9), { kind: 'loading' })).toBeNull()
})
