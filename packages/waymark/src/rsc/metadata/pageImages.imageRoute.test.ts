import { describe, expect, test } from 'vitest'
import { imageRoute } from './pageImages.ts'

type Route = {
  GET(request: null, context: { params: Promise<object> }): Promise<Response>
  generateImages(props: { params: Promise<object> }): Promise<readonly { url: string }[]>
  generateStaticParams(props: { params: object }): Promise<readonly object[]>
}

const routeOf = (
  module: Readonly<Record<string, unknown>>,
  generate?: () => object[],
  file = 'blog/[slug]/icon.tsx',
) => imageRoute(file, module, { generateStaticParams: generate }) as unknown as Route

const draw = () => new Uint8Array([1, 2])
const get = (route: Route, params: object) => route.GET(null, { params: Promise.resolve(params) })

describe('a module that draws an image', () => {
  test('is drawn for each known page', async () => {
    const { generateStaticParams } = routeOf({ default: draw }, () => [
      { slug: 'a' },
      { slug: 'b' },
    ])
    expect(await generateStaticParams({ params: {} })).toEqual([
      { slug: 'a', __file: 'image.png' },
      { slug: 'b', __file: 'image.png' },
    ])
  })

  test('is drawn on request if the pages are unknown', async () => {
    expect(await routeOf({ default: draw }).generateStaticParams({ params: {} })).toEqual([{}])
  })

  test('has the encoded params of the page in its URL', async () => {
    const { generateImages } = routeOf({ default: draw, contentType: 'image/jpeg' })
    const [image] = await generateImages({ params: Promise.resolve({ slug: 'ä b' }) })
    expect(image?.url).toBe('/blog/%C3%A4%20b/icon/image.jpg')
  })

  test('gets its params and its id as promises, and not the name of the image', async () => {
    const received: unknown[] = []
    const route = routeOf({
      generateImageMetadata: () => [{ id: 7 }],
      default: async ({ params, id }: { params: Promise<object>; id: Promise<string> }) => {
        received.push(await params, await id)
        return draw()
      },
    })
    const response = await get(route, { slug: 'a', __file: '7.png' })
    expect(received).toEqual([{ slug: 'a' }, '7'])
    expect(response.headers.get('content-type')).toBe('image/png')
    expect((await get(route, { slug: 'a', __file: '8.png' })).status).toBe(404)
  })

  test.each([
    ['an empty image', { default: () => new Response('') }, /icon\.tsx .*an empty image/],
    [
      'ids that do not fit into a URL',
      { default: draw, generateImageMetadata: () => [{ id: '../x' }] },
      /a list of ids/,
    ],
    ['a missing list', { default: draw, generateImageMetadata: () => null }, /a list of ids/],
  ])('fails for %s', async (_, module, message) => {
    await expect(get(routeOf(module), { slug: 'a', __file: 'image.png' })).rejects.toThrow(message)
  })

  test('fails when the stream of its response breaks off', async () => {
    const body = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array([1]))
          controller.error(new Error('half'))
        },
      })
    const route = routeOf({ default: () => new Response(body()) })
    await expect(get(route, { slug: 'a', __file: 'image.png' })).rejects.toThrow('half')
  })

  test('without a function is refused', () => {
    expect(() => routeOf({})).toThrow(/no function as its default export/)
  })
})
