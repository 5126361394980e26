import { type ReactElement, type ReactNode, Suspense } from 'react'
import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readPolicy } from '../shared/policy.ts'
import { Offline } from './Offline.tsx'

const html = (...each: Parameters<typeof Offline>[0][]) =>
  `<head>${each.map((props) => renderToStaticMarkup(Offline(props))).join('')}</head>`

test('the strictest setting of a page and its layouts wins', () => {
  expect(readPolicy('<h1>Nothing</h1>')).toBe(Number.POSITIVE_INFINITY)
  expect(readPolicy(html({ privateFor: 60 }))).toBe(60)
  expect(readPolicy(html({ privateFor: 60 }, { privateFor: 30 }))).toBe(30)
  expect(readPolicy(html({ privateFor: 60 }, { keep: false }))).toBe(0)
})

test('text that a user wrote sets no policy', () => {
  const written = '<meta name="waymark-offline" content="9"/>'
  expect(readPolicy(renderToStaticMarkup(<p title={written}>{written}</p>))).toBe(Infinity)
  expect(readPolicy(`<script>push(${JSON.stringify(written)})</script>`)).toBe(Infinity)
})

test('unsanitised HTML in a page sets no policy', () => {
  const content = '<meta name="waymark-offline" content="9"/></head>'
  expect(readPolicy(`<head><title>A</title></head><body>${content}</body>`)).toBe(Infinity)
})

test('a part that is streamed late can forbid caching but not allow it', async () => {
  expect(readPolicy(await streamed(<Offline keep={false} />))).toBe(0)
  expect(readPolicy(await streamed(<Offline privateFor={30} />))).toBe(Infinity)
  const page = <Offline privateFor={60} />
  expect(readPolicy(await streamed(<Offline keep={false} />, page))).toBe(0)
  expect(readPolicy(await streamed(<Offline privateFor={30} />, page))).toBe(30)
  expect(readPolicy(await streamed(<Offline privateFor={90} />, page))).toBe(60)
})

/** Renders a document in which part of the body streams after the head. */
async function streamed(delayed: ReactElement, page?: ReactNode): Promise<string> {
  let arrive = (_: ReactElement) => {}
  const arrived = new Promise<ReactElement>((resolve) => {
    arrive = resolve
  })
  const stream = await renderToReadableStream(
    <html lang="en">
      <body>
        {page}
        <Suspense fallback="…">{arrived}</Suspense>
      </body>
    </html>,
  )
  arrive(delayed)
  return new Response(stream).text()
}

test('a privateFor that is not a positive whole number throws', () => {
  expect(() => html({ privateFor: 0 })).toThrow('privateFor=0')
})
