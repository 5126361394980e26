import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { resolveOptions, type WaymarkOptions } from './pluginOptions.ts'

const builds = [
  { id: 'en', define: { __LANGUAGE__: '"en"' } },
  { id: 'de', define: { __LANGUAGE__: '"de"' } },
]
const choose = { module: pathToFileURL('/package/choose.js'), name: 'chooseLanguage' }
const ofPackage = { name: 'languages', variants: { builds, choose } }

const resolve = (variants?: unknown, packages: readonly (typeof ofPackage)[] = []) =>
  resolveOptions('/app', { ...(variants ? { variants } : {}) } as WaymarkOptions, { packages })
    .variants

describe('the variants of an app', () => {
  test('are its own, with a module relative to its root', () => {
    const own = resolve({ builds, choose: './chooseVariant.ts' })
    expect(own).toEqual({
      builds,
      choose: { file: '/app/chooseVariant.ts', name: 'chooseVariant' },
    })
  })

  test('are those of a package', () => {
    const variants = resolve(undefined, [ofPackage])
    expect(variants).toEqual({
      builds,
      choose: { file: '/package/choose.js', name: 'chooseLanguage' },
    })
  })

  test('without the option, there are no variants', () => expect(resolve()).toBe(null))

  test('come from one place', () => {
    expect(() => resolve({ builds, choose: './a.ts' }, [ofPackage])).toThrow(
      'waymark() and languages both have the hook variants',
    )
  })

  test.each([
    [{ builds, choose: undefined }, "variants.choose can't be undefined"],
    [{ builds: [], choose: './a.ts' }, "variants.builds can't be []"],
    [{ builds: [{ id: 'a b', define: {} }], choose: './a.ts' }, 'can\'t be "a b"'],
    [{ builds: [...builds, builds[0]], choose: './a.ts' }, 'give each its own id'],
  ])('are refused if they are invalid: %o', (variants, message) => {
    expect(() => resolve(variants)).toThrow(message)
  })
})
