import { describe, expect, test } from 'vitest'
import {
  checkExports,
  checkSegmentOptions,
  dynamicReasonOf,
  readRenderingConfig,
} from './routeConfig.ts'

const read = (...modules: Record<string, unknown>[]) =>
  readRenderingConfig(modules.map((module, index) => ({ file: `file${index}`, module })))

describe('the rendering options of a route', () => {
  test('have defaults', () => {
    expect(read({}, {})).toEqual({
      dynamic: 'auto',
      dynamicFrom: null,
      revalidateSeconds: null,
      expireSeconds: null,
      dynamicParams: true,
    })
  })

  test('take `dynamic` from the innermost file', () => {
    const config = read({ dynamic: 'force-dynamic' }, { dynamic: 'force-static' }, {})
    expect([config.dynamic, config.dynamicFrom]).toEqual(['force-static', 'file1'])
  })

  test('take the shortest time for `revalidate`', () => {
    expect(read({ revalidate: 60 }, { revalidate: 10 }).revalidateSeconds).toBe(10)
    expect(read({ revalidate: false }, {}).revalidateSeconds).toBe(null)
    expect(read({ revalidate: -1 }, { revalidate: Number.NaN }).revalidateSeconds).toBe(null)
  })

  test('close the list of params if any file does', () => {
    expect(read({ dynamicParams: false }, { dynamicParams: true }).dynamicParams).toBe(false)
  })

  test('ignore invalid values', () => {
    // Options that a client file exports are references, which are ignored.
    expect(read({ dynamic: () => {}, revalidate: '60' })).toEqual(read({}))
  })
})

test.each([
  [[{ dynamic: 'force-dynamic' }], 'force-dynamic in file0'],
  [[{}, { revalidate: 0 }], 'revalidate = 0'],
  [[{ dynamic: 'force-static' }, { revalidate: 0 }], null],
  [[{ revalidate: 5 }], null],
])('%o is dynamic because of: %s', (modules, reason) => {
  expect(dynamicReasonOf(read(...(modules as Record<string, unknown>[])))).toBe(reason)
})

const reference = Object.assign(() => {}, { $$typeof: Symbol.for('react.client.reference') })

test.each([
  [
    { dynamic: 'force-dynamik' },
    /app\/page\.tsx exports dynamic = 'force-dynamik'.*'force-dynamic'/,
  ],
  [{ revalidate: '60' }, /revalidate = '60'.*number of seconds/],
  [{ revalidate: -1 }, /revalidate = -1/],
  [{ expire: Number.NaN }, /expire = NaN/],
  [{ dynamicParams: 'false' }, /dynamicParams = 'false'/],
  [{ statusDeadlineMs: '1s' }, /statusDeadlineMs = '1s'/],
])('%o is refused', (module, message) => {
  expect(() => checkSegmentOptions({ file: 'page.tsx', module })).toThrow(message)
})

test.each([
  [{}],
  [{ dynamic: reference, statusDeadlineMs: reference }],
  [{ dynamic: 'partial', revalidate: 60, expire: 3600, dynamicParams: false }],
  [{ revalidate: false, statusDeadlineMs: Number.POSITIVE_INFINITY }],
])('%o is valid', (module) => {
  expect(() => checkSegmentOptions({ file: 'page.tsx', module })).not.toThrow()
})

describe('options of other frameworks', () => {
  test.each([
    ['runtime', 'edge', /on the same host/],
    ['preferredRegion', 'fra1', /where you deploy it/],
    ['maxDuration', 60, /statusDeadlineMs/],
    ['fetchCache', 'force-cache', /cached\(\) from waymark\/server/],
  ])('%s is refused, and the error names the alternative', (name, value, message) => {
    expect(() => checkSegmentOptions({ file: 'page.tsx', module: { [name]: value } })).toThrow(
      message,
    )
  })

  test("runtime = 'nodejs' is accepted", () => {
    expect(() =>
      checkSegmentOptions({ file: 'page.tsx', module: { runtime: 'nodejs' } }),
    ).not.toThrow()
  })
})

describe('a route file', () => {
  test.each([undefined, 'text', 7])('has no component if its default export is %s', (value) => {
    const module = { default: value } as never
    expect(() => checkExports({ file: 'a/page.tsx', module })).toThrow('app/a/page.tsx has no')
  })

  test.each(['error.tsx', 'shop/error.jsx', 'global-error.tsx'])(
    '%s must be a client file',
    (file) => {
      const module = { default: () => null } as never
      expect(() => checkExports({ file, module })).toThrow(`app/${file} must run in browsers`)
      const reference = Object.assign(() => null, {
        $$typeof: Symbol.for('react.client.reference'),
      })
      expect(() => checkExports({ file, module: { default: reference } as never })).not.toThrow()
    },
  )

  test('of a route handler has a function for a method', () => {
    const handler = () => new Response('')
    const file = 'api/route.ts'
    expect(() => checkExports({ file, module: { default: handler } as never })).toThrow(
      'app/api/route.ts has a default export, but no function for GET',
    )
    const both = { default: handler, GET: handler } as never
    expect(() => checkExports({ file, module: both })).not.toThrow()
  })

  test.each([
    ['page.tsx', { default: () => null }],
    ['page.tsx', { default: { $$typeof: Symbol.for('react.memo') } }],
    ['route.ts', {}],
    ['sitemap.ts', {}],
  ])('%s is valid', (file, module) => {
    expect(() => checkExports({ file, module: module as never })).not.toThrow()
  })
})
