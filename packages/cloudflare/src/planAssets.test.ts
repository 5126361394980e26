import { describe, expect, test } from 'vitest'
import type { BuildContents, BuildFile, BuildPage } from 'waymark/adapter'
import { planAssets } from './planAssets.ts'

function fileOf(file: string, changes: Partial<BuildFile> = {}): BuildFile {
  return {
    file,
    status: 200,
    headers: [
      ['content-type', 'text/plain'],
      ['cache-control', 'public, max-age=0'],
    ],
    etag: '"a"',
    size: 1,
    modifiedAtMs: 0,
    compressed: { br: { file: `${file}.br`, etag: '"b"', size: 1 } },
    isGuarded: false,
    ...changes,
  }
}

const page: BuildPage = {
  ...fileOf('prerendered/index.html'),
  life: null,
  handlerOnHeaders: [],
  hasCustomCaching: false,
}

function contentsOf(files: BuildContents['files']): BuildContents {
  return { builtAtMs: 0, files, pages: { '/': page }, shells: {}, notFound: null }
}

const hashed = { '/_waymark/assets/a-1.js': fileOf('client/_waymark/assets/a-1.js') }

test('the worker runs for each URL except for hashed assets and open files', () => {
  const plan = planAssets(contentsOf({ ...hashed, '/robots.txt': fileOf('client/robots.txt') }), '')
  expect(plan.runWorkerFirst).toEqual(['/*', '!/_waymark/assets/*', '!/robots.txt'])
  expect(plan.copies).toContainEqual({ to: 'robots.txt', from: 'client/robots.txt' })
  expect(plan.headers).toBe(`/_waymark/assets/*
  cache-control: public, max-age=0
/robots.txt
  content-type: text/plain
  cache-control: public, max-age=0
`)
})

test('the base path is a part of each rule', () => {
  const files = { ...hashed, '/robots.txt': fileOf('client/robots.txt') }
  const plan = planAssets(contentsOf(files), '/docs')
  expect(plan.runWorkerFirst).toEqual(['/*', '!/docs/_waymark/assets/*', '!/docs/robots.txt'])
  expect(plan.copies.map(({ to }) => to)).toContain('docs/_waymark/assets/a-1.js')
  expect(plan.contents.files['/robots.txt']?.file).toBe('/docs/robots.txt')
})

describe('clients reach only by the worker', () => {
  const closed: Readonly<Record<string, BuildFile>> = {
    '/guarded.txt': fileOf('client/guarded.txt', { isGuarded: true }),
    '/film.mp4': fileOf('client/film.mp4', { headers: [['content-type', 'video/mp4']] }),
    '/a%20b.txt': fileOf('client/a b.txt'),
    '/a+b.txt': fileOf('client/a+b.txt'),
    '/_headers': fileOf('client/_headers'),
    '/_redirects': fileOf('client/_redirects'),
    [`/${'a'.repeat(100)}.txt`]: fileOf('client/long.txt'),
    '/long-header.txt': fileOf('client/long-header.txt', {
      headers: [['content-security-policy', 'a'.repeat(2_000)]],
    }),
  }

  test.each(Object.entries(closed))('%s', (pathname, file) => {
    const plan = planAssets(contentsOf({ ...hashed, [pathname]: file }), '')
    expect(plan.runWorkerFirst).toEqual(['/*', '!/_waymark/assets/*'])
    expect(plan.headers).not.toContain(pathname)
    const { to } = plan.copies.find(({ from }) => from === file.file) ?? { to: '' }
    expect(to).toMatch(/^_waymark\/build\/[0-9a-f]{32}$/)
    expect(plan.contents.files[pathname]).toMatchObject({ file: `/${to}`, compressed: {} })
  })

  test('pages', () => {
    const { contents, runWorkerFirst } = planAssets(contentsOf(hashed), '')
    expect(contents.pages['/']?.file).toMatch(/^\/_waymark\/build\//)
    expect(runWorkerFirst).toEqual(['/*', '!/_waymark/assets/*'])
  })

  test('hashed assets, if one of them is guarded', () => {
    const guarded = fileOf('client/_waymark/assets/b-2.js', { isGuarded: true })
    const plan = planAssets(contentsOf({ ...hashed, '/_waymark/assets/b-2.js': guarded }), '')
    expect(plan.runWorkerFirst).toEqual(['/*'])
    expect(plan.copies.every(({ to }) => to.startsWith('_waymark/build/'))).toBe(true)
  })
})

test('files for which Cloudflare has no rule left are sent by the worker', () => {
  const many = Array.from({ length: 120 }, (_, at) => [`/${at}.txt`, fileOf(`client/${at}.txt`)])
  const plan = planAssets(contentsOf({ ...hashed, ...Object.fromEntries(many) }), '')
  expect(plan.runWorkerFirst).toHaveLength(100)
  expect(plan.headers.match(/^\//gm)).toHaveLength(99)
  expect(plan.withoutRule).toBe(22)
})
