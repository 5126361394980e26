import { describe, expect, test } from 'vitest'
import { resolveOptions, type WaymarkOptions } from './pluginOptions.ts'

const resolve = (options: object) => resolveOptions('/app', options as WaymarkOptions)

describe('navigation and prefetch', () => {
  test('have the documented defaults unless the app overrides them', () => {
    expect(resolve({}).navigation.timeoutMs).toBe(3800)
    expect(resolve({}).prefetch).toEqual({ perPage: 24, perMinute: 60, atOnce: 4 })
    const { navigation } = resolve({ navigation: { timeoutMs: 600, keepPages: undefined } })
    expect(navigation).toEqual({ ...resolve({}).navigation, timeoutMs: 600 })
  })

  test.each([
    [{ navigation: { timeoutMs: -1 } }, "navigation.timeoutMs can't be -1"],
    [{ navigation: { timeoutMs: Number.POSITIVE_INFINITY } }, "can't be Infinity"],
    [{ navigation: { keepMs: 2 ** 31 } }, 'from 0 to 2 ** 31'],
    [{ navigation: { keepMounted: 0.5 } }, "navigation.keepMounted can't be 0.5"],
    [{ navigation: { timeout: 5 } }, "it doesn't exist. The options are timeoutMs"],
    [{ prefetch: { atOnce: '4' } }, "prefetch.atOnce can't be 4"],
  ])('%o is refused', (options, message) => {
    expect(() => resolve(options)).toThrow(message)
  })
})

test('an unknown option is reported with its file and the existing options', () => {
  const options = { keepBuild: 2 } as WaymarkOptions
  expect(() => resolveOptions('/app', options, { configFile: '/app/vite.config.js' })).toThrow(
    /^vite\.config\.js: waymark\(\) has no option keepBuild\. Its options are .*, keepBuilds, /,
  )
})

test.each([-1, Number.NaN, '5'])('a status deadline of %o is refused', (statusDeadlineMs) => {
  expect(() => resolve({ statusDeadlineMs })).toThrow("statusDeadlineMs can't be")
})

test('settleDeadlineMs limits the wait for pages that crawlers request', () => {
  expect(resolve({}).settleDeadlineMs).toBe(30_000)
  expect(resolve({ settleDeadlineMs: 500 }).settleDeadlineMs).toBe(500)
  expect(() => resolve({ settleDeadlineMs: Number.POSITIVE_INFINITY })).toThrow(
    "settleDeadlineMs can't be Infinity",
  )
})

test.each(['arrivals', 'live', 'offline', 'journal'])(
  'the error for the former option %s says which package to list',
  (name) => {
    const options = { [name]: true } as WaymarkOptions
    expect(() => resolveOptions('/app', options)).toThrow(
      /^vite\.config\.ts: waymark\(\) has no option \w+, because it is a separate package\. Write import \{ \w+ \} from '@waymark\/\w+\/vite'/,
    )
  },
)

test.each([true, false])('the former option patches: %s is an error', (patches) => {
  expect(() => resolveOptions('/app', { patches } as WaymarkOptions)).toThrow(
    "vite.config.ts: waymark() no longer has the option patches, because builds bundle React's files unchanged. Remove it. For a faster version of React's files, write import { speedups } from '@waymark/speedups/vite', then plugins: [waymark(), speedups()].",
  )
})
