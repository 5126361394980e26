import { expect, test } from 'vitest'
import { imagesOf, type PageImage, withImages, withoutReplaced } from './pageImages.ts'

const image = (kind: PageImage['kind'], url: string): PageImage => ({
  kind,
  url,
  type: 'image/png',
  width: 16,
  height: 16,
})
const page = { origin: 'https://example.com', pathname: '/' }
const urls = (images: ReturnType<typeof imagesOf>) =>
  Object.values(images).map((each) => each?.images.map(({ url }) => url))

test('images of one folder are combined, and images of a nearer folder replace them', () => {
  const root = imagesOf({}, { images: [image('icon', '/1'), image('apple-icon', '/a')] }, '')
  const both = imagesOf(root, { images: [image('icon', '/2')] }, '')
  expect(urls(both)).toEqual([['/1', '/2'], ['/a']])
  expect(urls(imagesOf(both, { images: [image('icon', '/3')] }, 'shop'))).toEqual([['/3'], ['/a']])
})

test('images in metadata replace image files, by their kind', () => {
  const all = imagesOf(
    {},
    { images: [image('icon', '/i'), image('opengraph-image', '/o'), image('twitter-image', '/t')] },
    '',
  )
  const left = (metadata: Parameters<typeof withoutReplaced>[1]) =>
    Object.keys(withoutReplaced(all, metadata))
  expect(left({ openGraph: { title: 'x' }, title: 'x' })).toHaveLength(3)
  expect(left({ openGraph: { images: [] } })).toEqual(['icon', 'twitter-image'])
  expect(left({ openGraph: null, twitter: { images: '/x.png' } })).toEqual(['icon'])
  expect(left({ icons: '/x.svg' })).toEqual(['opengraph-image', 'twitter-image'])
})

test('URLs of card images are absolute, and other fields stay', () => {
  const images = imagesOf({}, { images: [image('opengraph-image', '/o.png')] }, '')
  const { openGraph } = withImages({ openGraph: { siteName: 'Acme' } }, images, page)
  expect(openGraph).toMatchObject({
    siteName: 'Acme',
    images: [{ url: 'https://example.com/o.png', width: 16 }],
  })
})

test('a page without images does not read the request', () => {
  const metadata = { title: { absolute: 'x', template: null } }
  const unread = {
    get origin(): string {
      throw new Error('read')
    },
    pathname: '/',
  }
  expect(withImages(metadata, {}, unread)).toEqual(metadata)
})
