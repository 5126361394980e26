import { describe, expect, test, vi } from 'vitest'
import { SignalError } from '../../wire/signals.ts'
import type { Metadata, ResolvingMetadata, ResolvingViewport } from './metadata.ts'
import {
  createMetadataResolver,
  type MetadataFile,
  type MetadataRequest,
  type ResolvedHead,
} from './resolve.ts'

function request(overrides: Partial<MetadataRequest> = {}): MetadataRequest {
  const propsOf = () => ({ params: Promise.resolve({ slug: 'first' }) })
  return { origin: 'https://acme.com', pathname: '/blog', propsOf, ...overrides }
}

function file(path: string, module: Record<string, unknown>): MetadataFile {
  return { file: path, module }
}

const template = { title: { template: '%s | Acme', default: 'Acme' } }
const layout = file('layout.tsx', { metadata: template })

function after<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value))
}

describe('a static chain', () => {
  const resolveNow = (chain: MetadataFile[]) =>
    createMetadataResolver()(chain, request()) as ResolvedHead

  test('is merged synchronously', () => {
    const page = { metadata: { title: 'Blog' }, viewport: { themeColor: 'red' } }
    const { metadata, viewport, tags } = resolveNow([layout, file('blog/page.tsx', page)])
    expect(metadata.title?.absolute).toBe('Blog | Acme')
    expect(viewport).toEqual({ width: 'device-width', initialScale: 1, themeColor: 'red' })
    expect(tags.map(({ key }) => key)).toEqual(['charset', 'viewport', 'theme-color', 'title'])
  })

  test('does not create props', () => {
    const propsOf = vi.fn()
    createMetadataResolver()([layout], request({ propsOf }))
    expect(propsOf).not.toHaveBeenCalled()
  })

  test('may be empty', () => {
    expect(resolveNow([]).metadata).toEqual({})
  })

  test.each([
    ['does not apply to a page in the same folder', [['page.tsx', 'Home']], 'Home'],
    ['applies in a route group', [['(site)/page.tsx', 'Home']], 'Home | Acme'],
    [
      'of a layout does not apply to the page in its folder',
      [
        ['b/layout.tsx', null],
        ['b/page.tsx', 'All'],
      ],
      'All | Acme',
    ],
    [
      'comes from the nearest layout',
      [
        ['b/layout.tsx', null],
        ['b/c/page.tsx', 'C'],
      ],
      'C | Blog',
    ],
  ])('a title template %s', (_name, files, expected) => {
    const blog = { template: '%s | Blog', default: 'Blog' }
    const below = files.map(([path, title]) =>
      file(path as string, { metadata: { title: title ?? blog } }),
    )
    expect(resolveNow([layout, ...below]).metadata.title?.absolute).toBe(expected)
  })

  const otherPage = { origin: 'http://b.com', pathname: '/b' }
  test.each<[string, Metadata, Partial<MetadataRequest>, boolean]>([
    ['for any request', { description: 'A' }, otherPage, true],
    ['for the same origin', { openGraph: { images: '/a.png' } }, { pathname: '/b' }, true],
    ['but not for another origin', { openGraph: { images: '/a.png' } }, otherPage, false],
    [
      'but not for another page with ./',
      { alternates: { canonical: './' } },
      { pathname: '/b' },
      false,
    ],
    ['for absolute URLs', { openGraph: { images: 'https://a.com/a' } }, otherPage, true],
    ['with metadataBase', { metadataBase: 'https://a.com', manifest: '/m' }, otherPage, true],
  ])('returns the same head %s', (_name, metadata, second, isSame) => {
    const resolve = createMetadataResolver()
    const page = file('a/page.tsx', { metadata })
    const first = resolve([layout, page], request())
    expect(resolve([layout, page], request(second)) === first).toBe(isSame)
    expect(resolve([page], request(second))).not.toBe(first)
  })
})

describe('the manifest of a file', () => {
  const resolve = createMetadataResolver('/manifest.webmanifest')
  const generated = { generateMetadata: () => ({ title: 'Shop' }) }

  test.each([
    ['is linked', { metadata: {} }, '/manifest.webmanifest'],
    ['is linked if metadata is generated', generated, '/manifest.webmanifest'],
    ['is replaced by a manifest in metadata', { metadata: { manifest: '/own.json' } }, '/own.json'],
    ['is removed by null', { metadata: { manifest: null } }, undefined],
  ])('%s', async (_name, module, href) => {
    const { metadata, tags } = await resolve([layout, file('page.tsx', module)], request())
    expect(metadata.manifest ?? undefined).toBe(href)
    const links = tags.flatMap(({ props }) => {
      const { rel, href } = props as { rel?: string; href?: string }
      return rel === 'manifest' ? [href] : []
    })
    expect(links).toEqual(href === undefined ? [] : [href])
  })
})

describe('a chain with functions', () => {
  const resolve = createMetadataResolver()

  test('passes props and the merged parent on', async () => {
    const images = ['/a.png']
    const chain = [
      layout,
      file('blog/layout.tsx', { metadata: { description: 'All posts', openGraph: { images } } }),
      file('blog/[slug]/page.tsx', {
        async generateMetadata(
          { params }: { params: Promise<{ slug: string }> },
          parent: ResolvingMetadata,
        ): Promise<Metadata> {
          const { openGraph, description } = await parent
          return {
            title: `${(await params).slug}: ${description}`,
            openGraph: { images: ['/b.png', ...(openGraph?.images ?? [])] },
          }
        },
        generateViewport: async (_props: unknown, parent: ResolvingViewport) => ({
          width: `${(await parent).width}!`,
        }),
      }),
    ]
    const { metadata, viewport } = await resolve(chain, request())
    expect(metadata.title?.absolute).toBe('first: All posts | Acme')
    expect(metadata.openGraph?.images).toEqual([
      { url: 'https://acme.com/b.png' },
      { url: 'https://acme.com/a.png' },
    ])
    expect(viewport.width).toBe('device-width!')
  })

  test('starts all functions at once', async () => {
    const order: string[] = []
    const source = (name: string) =>
      file(`${name}/layout.tsx`, {
        async generateMetadata() {
          order.push(`${name} starts`)
          await after(5, null)
          order.push(`${name} ends`)
          return {}
        },
      })
    await resolve([source('a'), source('b')], request())
    expect(order).toEqual(['a starts', 'b starts', 'a ends', 'b ends'])
  })

  test('accepts functions that return synchronously, or return nothing', async () => {
    const chain = [
      layout,
      file('a/layout.tsx', { generateMetadata: () => ({ title: 'A' }) }),
      file('a/page.tsx', { generateMetadata: () => undefined, generateViewport: () => null }),
    ]
    expect((await resolve(chain, request())).metadata.title?.absolute).toBe('A | Acme')
  })

  test('rejects with the signal that was thrown, synchronously or later', async () => {
    const signal = new SignalError({ kind: 'fallback', status: 404 })
    const throwing = () => {
      throw signal
    }
    const later = async () => after(1, null).then(throwing)
    for (const generateMetadata of [throwing, later]) {
      const chain = [layout, file('a/page.tsx', { generateMetadata })]
      await expect(resolve(chain, request())).rejects.toBe(signal)
    }
  })

  test('rejects with the outermost failure, and leaves none unhandled', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const fail = (ms: number, name: string) => async () => {
      await after(ms, null)
      throw new Error(name)
    }
    const chain = [
      file('layout.tsx', { generateMetadata: fail(10, 'layout') }),
      file('page.tsx', { generateMetadata: fail(0, 'page'), generateViewport: fail(0, 'view') }),
    ]
    await expect(resolve(chain, request())).rejects.toThrow('layout')
    await after(5, null)
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})
